package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many threads use a reactor while its loop runs: nothing is lost, and nothing happens twice. */
@Tag(Depth.REPEATED)
class ReactorThreadSafetyTest extends ReactorContract {

    private static final int THREADS = 8;
    private static final int ROUNDS = CalledSystem.times(Depth.times(1_000, 3_000, 10_000));

    /** The requests of one thread, and their results. The loop thread writes, the test reads after the end. */
    private final class Client extends OneHandleHandler implements TimeoutHandler {

        private final Pipe pipe;
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final AtomicLong closed = new AtomicLong();
        private final AtomicLong expired = new AtomicLong();
        private final AtomicLong ran = new AtomicLong();
        private int cancelled;

        Client(Pipe pipe) {
            this.pipe = pipe;
        }

        Void work() throws Exception {
            Timer previous = null;
            for (int i = 0; i < ROUNDS; i++) {
                register(reactor, Interest.READ);
                Timer timer = reactor.schedule(this, this, Duration.ofNanos(i % 7 * 20_000));
                reactor.execute(ran::incrementAndGet);
                registration().close();
                if (previous != null && i % 2 == 0) {
                    cancelled += previous.cancel() ? 1 : 0;
                }
                previous = timer;
            }
            return null;
        }

        @Override
        public Handle handle() {
            return pipe.source();
        }

        @Override
        public void handleInput(Registration registration) {
            // The byte stays, so that the handle is ready whenever it is registered.
        }

        @Override
        public void handleTimeout(Object token) {
            expired.incrementAndGet();
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            failure.compareAndSet(null, cause);
        }

        @Override
        public void handleClose(Registration registration) {
            closed.incrementAndGet();
        }
    }

    @Test
    void nothingIsLost() throws Exception {
        List<Client> clients = new ArrayList<>();
        List<OtherThread<Void>> threads = new ArrayList<>();
        LoopRunner loop = runInBackground();
        for (int i = 0; i < THREADS; i++) {
            Client client = new Client(readablePipe());
            clients.add(client);
            threads.add(OtherThread.start(client::work));
        }
        for (OtherThread<Void> thread : threads) {
            thread.result();
        }
        for (Client client : clients) {
            OtherThread.await(() -> client.ran.get() == ROUNDS && client.closed.get() == ROUNDS
                    && client.expired.get() + client.cancelled == ROUNDS);
        }
        loop.close();
        runUntilIdle();
        for (Client client : clients) {
            assertNull(client.failure.get());
            assertEquals(ROUNDS, client.ran.get());
            assertEquals(ROUNDS, client.closed.get());
            assertEquals(ROUNDS, client.expired.get() + client.cancelled);
        }
    }
}
