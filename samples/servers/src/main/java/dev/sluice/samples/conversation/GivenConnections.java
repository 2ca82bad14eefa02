package dev.sluice.samples.conversation;

import dev.sluice.handle.SocketStream;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * How a concurrency strategy serves connections that it has not accepted itself, and lets others go.
 *
 * @param taker takes a connection to serve; for one thread
 * @param mover has each connection, now or later, leave at its next request boundary for the consumer that it is given,
 *              as far as it can
 * @param open  the number of connections that it serves, or that wait for one of its threads
 */
record GivenConnections(Consumer<SocketStream> taker, Consumer<Consumer<SocketStream>> mover, IntSupplier open) {
}
