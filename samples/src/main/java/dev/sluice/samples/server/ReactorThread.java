package dev.sluice.samples.server;

import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.util.function.Consumer;

/** A reactor and the platform thread that runs it, until it is told to stop or it fails. */
public final class ReactorThread implements AutoCloseable {

    private final Reactor reactor;
    private final Thread thread;

    /**
     * Opens a reactor and makes its thread, which does not run yet.
     *
     * @param name          of the thread
     * @param demultiplexer what to wait with
     * @param failed        told of the failure that ended the loop, by the thread itself
     * @throws IOException if the system refuses
     */
    public ReactorThread(String name, String demultiplexer, Consumer<Throwable> failed) throws IOException {
        this.reactor = Reactor.open(demultiplexer);
        this.thread = new Thread(() -> run(failed), name);
    }

    private void run(Consumer<Throwable> failed) {
        try {
            reactor.run();
        } catch (IOException | RuntimeException | Error e) {
            failed.accept(e);
        }
    }

    /** {@return the reactor} */
    public Reactor reactor() {
        return reactor;
    }

    /** Begins to run the reactor. */
    public void start() {
        thread.start();
    }

    /** Closes the reactor, and waits for the thread's end. */
    @Override
    public void close() {
        reactor.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
