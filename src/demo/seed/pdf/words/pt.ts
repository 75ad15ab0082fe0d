import type { Words } from './words.ts';

export const pt: Words = {
  group: '.',
  decimal: ',',
  theCompany: 'A companhia',
  contents: 'Sumário',
  page: 'Página',
  fictional: 'Empresa fictícia. Documento de demonstração.',
  fiscalYear: 'Exercício {label}: de {start} a {end}',
  revised: 'Edição revisada {n}',
  emissions: {
    caption: 'Emissões de gases de efeito estufa, toneladas de CO2 equivalente',
    scope1: 'Escopo 1: emissões diretas',
    scope2Location: 'Escopo 2: por localização',
    scope2Market: 'Escopo 2: por mercado',
    scope3: 'Escopo 3: cadeia de valor',
    total: 'Total (por mercado)',
    change: 'Variação',
    chart: 'Escopos 1 e 2 (por mercado), mil toneladas de CO2 equivalente',
  },
  resources: {
    caption: 'Energia e água',
    energy: 'Consumo de energia (GWh)',
    renewable: 'Eletricidade renovável (%)',
    water: 'Captação de água (mil m³)',
  },
  figures: {
    caption: 'Principais números',
    revenue: 'Receita ({currency} milhões)',
    result: 'Resultado operacional ({currency} milhões)',
    employees: 'Empregados no fim do exercício',
  },
  sections: {
    about: {
      heading: 'Sobre este relatório',
      paragraphs: [
        '{company} apresenta o desempenho do exercício {label}, de {start} a {end}. O relatório abrange a controladora e todas as subsidiárias sob seu controle operacional, salvo indicação diferente em uma tabela.',
        'Ele se destina a investidores, empregados, clientes e às comunidades vizinhas. Quando um método mudou, os números de anos anteriores foram recalculados, com a devida indicação.',
      ],
    },
    strategy: {
      heading: 'Estratégia e metas',
      paragraphs: [
        'Nossa estratégia se apoia em três compromissos: reduzir as emissões de acordo com o Acordo de Paris, usar menos água e materiais por unidade entregue e oferecer trabalho seguro e justo em toda a cadeia de valor. A diretoria acompanha o progresso a cada trimestre.',
        'Em relação ao ano-base {base}, as emissões dos escopos 1 e 2 variaram {change} por cento. Os grandes projetos são avaliados com um preço interno de carbono, e parte da remuneração variável depende das metas aqui descritas.',
      ],
    },
    climate: {
      heading: 'Clima e emissões',
      paragraphs: [
        'As emissões diretas somaram {scope1} toneladas no exercício {label}. Elas vêm da combustão estacionária, da frota própria e dos processos. A energia elétrica comprada é informada por localização e por mercado; {renewable} por cento vieram de fontes renováveis.',
        'No escopo 3 predominam os bens adquiridos e o uso dos serviços. Na falta de dados primários, foram usados fatores com base em gastos. A parcela de dados primários cresce a cada ano.',
      ],
    },
    resources: {
      heading: 'Energia e água',
      paragraphs: [
        'Todas as grandes unidades têm sistema de gestão de energia. A troca de bombas e motores, a redução de perdas e a geração própria trouxeram as maiores economias. As unidades em regiões de escassez hídrica seguem um plano próprio.',
      ],
    },
    people: {
      heading: 'Pessoas',
      paragraphs: [
        'Saúde e segurança vêm em primeiro lugar. Cada unidade realiza uma revisão mensal, e os quase acidentes são registrados com o mesmo cuidado que os acidentes. As horas de treinamento voltaram a crescer.',
        'Para trabalho igual, salário igual: os resultados da revisão anual são publicados. Os representantes dos empregados participam das decisões sobre turnos e novas tecnologias.',
      ],
    },
    governance: {
      heading: 'Governança',
      paragraphs: [
        'O conselho de administração se reúne ao menos seis vezes por ano. Um comitê de membros independentes supervisiona a sustentabilidade, recebe os relatórios da auditoria interna e prepara as decisões do conselho.',
        'O código de conduta vale para todos os empregados e parceiros. O canal de denúncias é externo e sigiloso, e cada caso é apurado até o fim.',
      ],
    },
    method: {
      heading: 'Métodos e limites',
      paragraphs: [
        'As emissões são calculadas segundo o GHG Protocol, com a abordagem de controle operacional. Os fatores vêm de inventários nacionais e são atualizados todos os anos. Em razão de arredondamentos, os totais podem diferir da soma das parcelas.',
      ],
    },
    assurance: {
      heading: 'Relatório de asseguração independente',
      paragraphs: [
        'À administração: realizamos trabalho de asseguração sobre indicadores selecionados deste relatório, conforme a norma {standard}. O trabalho incluiu entrevistas, procedimentos analíticos e testes por amostragem. Não identificamos fatos que nos levem a crer que os indicadores não estejam, em todos os aspectos relevantes, de acordo com os critérios.',
        '{provider}',
      ],
    },
    business: {
      heading: 'Desempenho dos negócios',
      paragraphs: [
        '{company} concluiu um exercício {label} exigente. A demanda foi desigual entre as regiões, e os custos de insumos seguiram instáveis. Os programas de produtividade compensaram a maior parte do efeito.',
        'Os investimentos se concentraram na renovação de instalações e em tecnologia da informação. A posição financeira é sólida: a dívida líquida caiu e todas as cláusulas de crédito foram cumpridas.',
      ],
    },
    outlook: {
      heading: 'Riscos e perspectivas',
      paragraphs: [
        'Os principais riscos são o preço da energia, interrupções no fornecimento, ataques cibernéticos e mudanças na regulação. Cada risco tem um responsável na diretoria. Para o próximo ano, esperamos crescimento moderado com margens estáveis.',
      ],
    },
    topic: {
      heading: 'Objetivo e alcance',
      paragraphs: [
        'Este documento trata de um único tema e completa nosso relato anual. {company} o publica para que especialistas encontrem as informações em um só lugar, com os mesmos limites e definições do relatório principal.',
        'As áreas responsáveis reuniram as informações, o jurídico as revisou e a diretoria aprovou a publicação. Os comentários serão considerados na próxima edição.',
        'O progresso é medido por indicadores acordados com as partes interessadas. Quando uma meta não é cumprida, explicamos as razões e as ações corretivas.',
      ],
    },
  },
};
