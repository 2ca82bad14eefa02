/**
 * The Acceptor-Connector pattern: establishing connections apart from what is done over them.
 *
 * <p>On a Reactor: a {@link dev.sluice.connection.ServiceHandler} is one service on one connection. An {@link
 * dev.sluice.connection.Acceptor} makes one for each connection that comes in, a {@link
 * dev.sluice.connection.Connector} gives an existing one a connection that goes out. Both call {@link
 * dev.sluice.connection.ServiceHandler#open()} when the connection stands, and then have nothing more to do with it.
 *
 * <p>On Proactors: a {@link dev.sluice.connection.ProactiveAcceptor} accepts by completions, hands the connections out
 * in turn to the proactors it is given, and begins a {@link dev.sluice.connection.ProactiveService} on each. To connect
 * is an operation there, of {@link dev.sluice.proactor.AsyncConnector}.
 *
 * <p>A shortage of descriptors or memory stops neither acceptor: it pauses, and accepts again after a while.
 */
package dev.sluice.connection;
