/**
 * The Acceptor-Connector pattern: separates the establishment of connections from the services on them.
 *
 * <p>On a {@link dev.sluice.reactor.Dispatcher}, which is a single-threaded or multi-threaded Reactor or a
 * Leader/Followers pool, a {@link dev.sluice.connection.ServiceHandler} is a service on one connection. An
 * {@link dev.sluice.connection.Acceptor} creates one for each incoming connection; a
 * {@link dev.sluice.connection.Connector} establishes an outgoing connection for one. Both call
 * {@link dev.sluice.connection.ServiceHandler#open()} when the connection is established, and do not take part in it
 * after that.
 *
 * <p>In all patterns, a connection sends through its {@link dev.sluice.connection.OutputQueue}. Bytes that the system
 * does not accept immediately are queued; while the queue is long, the connection's input is paused, so a peer that
 * does not read delays only itself. Bytes are copied into chunks that the loop thread reuses. Other threads push data
 * onto a stack, which the owner of the connection takes as a whole, and wake it up only for the first piece.
 *
 * <p>On Proactors {@link dev.sluice.proactor.AsyncAcceptor#listen} and {@link dev.sluice.proactor.AsyncStream#connect}
 * have the same roles, and a {@link dev.sluice.proactor.StreamHandler} is the service. A service that starts individual
 * operations gets its connections from the acceptor as well; for it, connecting is also an operation, started by
 * {@link dev.sluice.proactor.Proactor#connect}.
 *
 * <p>If there are several loops, a strategy of the acceptor, a {@link dev.sluice.connection.Distribution}, chooses one
 * for each connection: round-robin by default. A loop that has been closed gets no more connections.
 */
@NullMarked
package dev.sluice.connection;

import org.jspecify.annotations.NullMarked;
