import type { Words } from './words.ts';

export const es: Words = {
  group: '.',
  decimal: ',',
  theCompany: 'La sociedad',
  contents: 'Índice',
  page: 'Página',
  fictional: 'Empresa ficticia. Documento de demostración.',
  fiscalYear: 'Ejercicio {label}: del {start} al {end}',
  revised: 'Edición revisada {n}',
  emissions: {
    caption: 'Emisiones de gases de efecto invernadero, toneladas de CO2 equivalente',
    scope1: 'Alcance 1: emisiones directas',
    scope2Location: 'Alcance 2: según ubicación',
    scope2Market: 'Alcance 2: según mercado',
    scope3: 'Alcance 3: cadena de valor',
    total: 'Total (según mercado)',
    change: 'Variación',
    chart: 'Alcances 1 y 2 (según mercado), miles de toneladas de CO2 equivalente',
  },
  resources: {
    caption: 'Energía y agua',
    energy: 'Consumo de energía (GWh)',
    renewable: 'Electricidad renovable (%)',
    water: 'Captación de agua (miles de m³)',
  },
  figures: {
    caption: 'Cifras clave',
    revenue: 'Ingresos (mill. {currency})',
    result: 'Resultado operativo (mill. {currency})',
    employees: 'Plantilla al cierre',
  },
  sections: {
    about: {
      heading: 'Acerca de este informe',
      paragraphs: [
        '{company} presenta su actuación en el ejercicio {label}, comprendido entre el {start} y el {end}. El informe abarca la sociedad matriz y todas las filiales bajo su control operativo, salvo que una tabla indique otro perímetro.',
        'Se dirige a inversores, empleados, clientes y vecinos de nuestras instalaciones. Cuando cambió un método, las cifras de años anteriores se han reexpresado y así se indica.',
      ],
    },
    strategy: {
      heading: 'Estrategia y objetivos',
      paragraphs: [
        'Nuestra estrategia descansa en tres compromisos: reducir las emisiones conforme al Acuerdo de París, emplear menos agua y materiales por unidad producida, y ofrecer un trabajo seguro y justo en toda la cadena de valor. El comité de dirección revisa los avances cada trimestre.',
        'Respecto al año base {base}, las emisiones de los alcances 1 y 2 han variado un {change} por ciento. Los proyectos de inversión se evalúan con un precio interno del carbono, y parte de la retribución variable depende de estos objetivos.',
      ],
    },
    climate: {
      heading: 'Clima y emisiones',
      paragraphs: [
        'Las emisiones directas sumaron {scope1} toneladas en el ejercicio {label}. Proceden de la combustión estacionaria, de los vehículos propios y de los procesos. La electricidad comprada se presenta según ubicación y según mercado; el {renewable} por ciento fue de origen renovable.',
        'En el alcance 3 destacan los bienes adquiridos y el uso de lo que vendemos. Cuando faltaron datos primarios se aplicaron factores basados en el gasto. La proporción de datos primarios crece cada año.',
      ],
    },
    resources: {
      heading: 'Energía y agua',
      paragraphs: [
        'Todas las grandes instalaciones cuentan con un sistema de gestión de la energía. La recuperación de calor, el aislamiento y la renovación de equipos aportaron los mayores ahorros. Las instalaciones en zonas de estrés hídrico siguen un plan propio.',
      ],
    },
    people: {
      heading: 'Personas',
      paragraphs: [
        'La salud y la seguridad son lo primero. Cada centro celebra una revisión mensual, y los cuasi accidentes se registran con el mismo cuidado que los accidentes. Las horas de formación volvieron a aumentar.',
        'A igual trabajo, igual salario: los resultados de nuestra revisión anual se publican. La representación de la plantilla participa en las decisiones sobre turnos y nuevas tecnologías.',
      ],
    },
    governance: {
      heading: 'Gobierno corporativo',
      paragraphs: [
        'El consejo de administración se reúne al menos seis veces al año. Una comisión de consejeros independientes supervisa la sostenibilidad, recibe los informes de auditoría interna y prepara las decisiones del consejo.',
        'El código de conducta se aplica a toda la plantilla y a los socios comerciales. El canal de denuncias, gestionado por un tercero, garantiza la confidencialidad de cada caso.',
      ],
    },
    method: {
      heading: 'Métodos y perímetro',
      paragraphs: [
        'Las emisiones se calculan según el GHG Protocol con el enfoque de control operativo. Los factores proceden de inventarios nacionales y se actualizan cada año. Por el redondeo, los totales pueden diferir ligeramente de la suma de las partes.',
      ],
    },
    assurance: {
      heading: 'Informe de verificación independiente',
      paragraphs: [
        'A la dirección: hemos verificado una selección de indicadores de este informe conforme a {standard}. El trabajo comprendió entrevistas, procedimientos analíticos y pruebas por muestreo. No hemos observado nada que haga pensar que los indicadores no se ajustan, en todos los aspectos significativos, a los criterios aplicados.',
        '{provider}',
      ],
    },
    business: {
      heading: 'Evolución del negocio',
      paragraphs: [
        '{company} cierra un ejercicio {label} exigente. La demanda fue desigual según las regiones y los costes de compra siguieron siendo inestables. Los programas de productividad compensaron la mayor parte del efecto.',
        'Las inversiones se centraron en la renovación de instalaciones y en los sistemas de información. La situación financiera es sólida: la deuda neta disminuyó y se cumplieron todos los compromisos de crédito.',
      ],
    },
    outlook: {
      heading: 'Riesgos y perspectivas',
      paragraphs: [
        'Los principales riesgos son los precios de la energía, las interrupciones del suministro, los ciberataques y los cambios normativos. Cada riesgo tiene un responsable en el comité de dirección. Para el próximo año esperamos un crecimiento moderado con márgenes estables.',
      ],
    },
    topic: {
      heading: 'Objeto y alcance',
      paragraphs: [
        'Este documento trata un único asunto y completa nuestra información anual. {company} lo publica para que los especialistas encuentren los datos en un solo lugar, con los mismos límites y definiciones que el informe principal.',
        'Las áreas responsables reunieron la información, la asesoría jurídica la revisó y el comité de dirección aprobó su publicación. Los comentarios se tendrán en cuenta en la próxima edición.',
        'El avance se mide con los indicadores acordados con nuestros grupos de interés. Cuando un objetivo no se alcanza, explicamos las causas y las medidas correctoras.',
      ],
    },
  },
};
