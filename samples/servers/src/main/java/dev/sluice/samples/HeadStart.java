package dev.sluice.samples;

import dev.sluice.handle.Pipe;
import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/**
 * Links native functions on a second thread while picocli parses the command line. Both take longer than anything else
 * that a sample does before it serves, and they are independent of each other. Functions with the same number of
 * parameters share most of the code that linking generates, so linking a few of them is enough.
 */
final class HeadStart implements Runnable {

    HeadStart() {
    }

    /** Starts it in a daemon thread of its own. */
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
            reactor.runOnce(Duration.ZERO);
        } catch (IOException | RuntimeException | LinkageError e) {
            // If the sample needs the functions, it fails in the same way and reports it.
            LoggerFactory.getLogger(HeadStart.class).debug("no head start", e);
        }
    }
}
