package dev.sluice.samples;

import dev.sluice.handle.Pipe;
import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/**
 * Has the JVM link native functions while picocli looks into the command line: these take longer than all else that a
 * sample does before it answers, and need not wait for each other. Functions with equally many parameters share most of
 * what linking makes, so a few of them will do for all.
 */
final class HeadStart implements Runnable {

    HeadStart() {
    }

    /** Starts it in a thread of its own, which keeps no process from ending. */
    static void start() {
        Thread thread = new Thread(new HeadStart(), "head-start");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        ByteBuffer octet = ByteBuffer.allocateDirect(1);
        try (Pipe pipe = Pipe.open(); Reactor reactor = Reactor.open()) {
            pipe.send(octet);
            pipe.receive(octet.flip());
            reactor.handleEvents(Duration.ZERO);
        } catch (IOException | RuntimeException | LinkageError e) {
            // The sample will come to the same, and tell of it, if it needs what fails here.
            LoggerFactory.getLogger(HeadStart.class).debug("no head start", e);
        }
    }
}
