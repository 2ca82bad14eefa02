/**
 * The Acceptor-Connector pattern: separates establishing connections from what is done over them.
 *
 * <p>On a {@link dev.sluice.reactor.Dispatcher}, which is a Reactor, of one thread or of several, or a Leader/Followers
 * pool: a {@link dev.sluice.connection.ServiceHandler} is one service on one connection. An
 * {@link dev.sluice.connection.Acceptor} makes one for each incoming connection; a
 * {@link dev.sluice.connection.Connector} gives one an outgoing connection. Both call
 * {@link dev.sluice.connection.ServiceHandler#open()} when the connection is established, and then have nothing more to
 * do with it.
 *
 * <p>What a connection sends goes through its {@link dev.sluice.connection.OutputQueue}, whatever the pattern. What the
 * system does not take at once waits there; while that is much, the connection's input is paused, so a peer that does
 * not read holds up itself alone. Copied bytes lie in chunks that the loop thread uses again. Other threads leave what
 * they send in a stack, which the owner of the connection takes as a whole, and wake it for the first piece only.
 *
 * <p>On Proactors {@link dev.sluice.proactor.AsyncAcceptor#listen} and {@link dev.sluice.proactor.AsyncStream#connect}
 * are the same roles, and a {@link dev.sluice.proactor.StreamHandler} is the service. A service that starts single
 * operations gets its connections from the acceptor as well; for it, connecting is an operation, too, started by
 * {@link dev.sluice.proactor.Proactor#connect}.
 *
 * <p>Which of several loops gets a connection is a strategy of either acceptor, a
 * {@link dev.sluice.connection.Distribution}: round-robin by default. A loop that is found closed gets no more
 * connections.
 */
@NullMarked
package dev.sluice.connection;

import org.jspecify.annotations.NullMarked;
