package dev.sluice.samples.conversation;

import dev.sluice.connection.ListenOptions;
import dev.sluice.handle.SocketAcceptor;
import java.util.function.Consumer;

/**
 * What a strategy of a {@link StrategyContext} serves.
 *
 * @param socket  the listening socket, which it closes; null if connections are only given
 * @param options how connections are accepted
 * @param begun   called once, when connections may be given
 */
record Arrivals(SocketAcceptor socket, ListenOptions options, Consumer<GivenConnections> begun) {
}
