// Part by part: whole, undici is twice as much code and takes twice as long to load.
import type { Client, Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import buildConnector from 'undici/lib/core/connect.js';
import HttpClient from 'undici/lib/dispatcher/client.js';

export type { Client } from 'undici';
export { buildConnector };

/** A client of one socket. It has nothing but `dispatch`, `close` and `destroy`: the rest is below. */
export function makeClient(origin: string, options: Client.Options): Client {
  return new HttpClient(origin, options);
}

/** Sends a request and gives the answer as soon as its headers are there. */
export function sendRequest(
  client: Client,
  options: Omit<Dispatcher.RequestOptions, 'origin'>,
): Promise<Dispatcher.ResponseData> {
  return request.call(client, options);
}

/** Asks a proxy for a tunnel. */
export function sendConnect(
  client: Client,
  options: Omit<Dispatcher.ConnectOptions, 'origin'>,
): Promise<Dispatcher.ConnectData> {
  return connect.call(client, options);
}
