package dev.sluice.samples.stages;

import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import java.io.EOFException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Asks, waits for the answer, thinks for a moment, and asks again. */
final class ClosedLoopClient implements AutoCloseable {

    private static final int THINKING_MILLIS = 10;

    private final Socket socket = new Socket();
    private final Background<Void> loop;
    private volatile boolean ended;
    private volatile long answers;
    private volatile long refusals;

    ClosedLoopClient(InetSocketAddress server) throws Exception {
        socket.connect(server, (int) Patience.LIMIT.toMillis());
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        loop = Background.run(this::run);
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // By one thread.
    private Void run() throws Exception {
        while (!ended) {
            socket.getOutputStream().write('?');
            switch (socket.getInputStream().read()) {
                case StagedService.ANSWER -> answers++;
                case StagedService.REFUSAL -> refusals++;
                default -> throw new EOFException("no answer, but the end");
            }
            Thread.sleep(THINKING_MILLIS);
        }
        return null;
    }

    /** {@return the number of requests that were answered in some way} */
    long replies() {
        return answers + refusals;
    }

    long refusals() {
        return refusals;
    }

    /** Ends, and fails if the loop had to end before. */
    @Override
    public void close() throws Exception {
        ended = true;
        loop.result();
        socket.close();
    }
}
