package dev.sluice.benchmarks.load;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.handle.SocketStream;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/** Moves the bytes of exchanges. */
interface Engine extends Closeable {

    /**
     * Begins an exchange.
     *
     * @param stream   of the connection; the caller owns it
     * @param exchange says what to send, and takes what comes back
     * @throws IOException if the system refuses
     */
    void add(SocketStream stream, Exchange exchange) throws IOException;

    /**
     * Waits, and dispatches what there is.
     *
     * @param longest to wait
     * @throws IOException if anything has gone wrong with any exchange
     */
    void dispatch(Duration longest) throws IOException;

    @Override
    void close();

    /**
     * {@return the engine that is the cheapest for a load: completions spare small messages their system calls, and
     * readiness receives large ones into one buffer that stays in the processor's cache}
     *
     * @param load says how large messages are
     * @throws IOException if the system refuses
     */
    static Engine open(Load load) throws IOException {
        boolean small = load.size() * load.depth() < ReactiveEngine.BUFFER_SIZE / 16;
        return small && hasIoUring() ? new ProactiveEngine() : new ReactiveEngine();
    }

    private static boolean hasIoUring() {
        String best = Mechanism.choose(Mechanism.AUTO, Mode.ASYNCHRONOUS).name();
        return best.equals(ProactiveEngine.DEMULTIPLEXER);
    }
}
