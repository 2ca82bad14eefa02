/**
 * The Acceptor-Connector pattern: separates establishing connections from what is done over them.
 *
 * <p>On a Reactor: a {@link dev.sluice.connection.ServiceHandler} is one service on one connection. An
 * {@link dev.sluice.connection.Acceptor} makes one for each incoming connection; a
 * {@link dev.sluice.connection.Connector} gives an existing one an outgoing connection. Both call
 * {@link dev.sluice.connection.ServiceHandler#open()} when the connection is established, and then have nothing more to
 * do with it.
 *
 * <p>On Proactors: a {@link dev.sluice.connection.ProactiveAcceptor} accepts by completions, hands the connections out
 * in turn to the proactors it is given, and begins a {@link dev.sluice.connection.ProactiveService} on each. There,
 * connecting is an operation, started by {@link dev.sluice.proactor.AsyncConnector}.
 *
 * <p>A shortage of descriptors or memory stops neither acceptor: it pauses, and accepts again after a while.
 */
package dev.sluice.connection;
