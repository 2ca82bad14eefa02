package dev.sluice.samples.web;

import dev.sluice.samples.server.LineDestination;
import dev.sluice.samples.web.protocol.CommonLog;
import dev.sluice.samples.web.protocol.Status;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access log in Common Log Format. Each loop gathers lines of its own and writes many at once, when they are many
 * or a sweep of its deadlines comes by; the lines of several loops are not in the order of time to the last.
 */
final class AccessLog implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);
    private static final int ENOUGH = 16 * 1024;

    private final LineDestination destination;
    private final List<Lines> all = new ArrayList<>();
    private boolean failing;

    /** Makes the log, which owns the destination. */
    AccessLog(LineDestination destination) {
        this.destination = destination;
    }

    /** {@return lines for one more loop, to be added by its thread only} */
    Lines newLines() {
        Lines lines = new Lines();
        all.add(lines);
        return lines;
    }

    private synchronized void write(ByteBuffer lines) {
        int size = lines.remaining();
        try {
            destination.write(lines);
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                LOG.error("access log: {} bytes are lost, and more until it works again: {}", size, e.getMessage());
            }
            failing = true;
        }
    }

    /** Writes what is left, after the loops have ended, and closes the destination. */
    @Override
    public void close() throws IOException {
        try (destination) {
            all.forEach(Lines::flush);
        }
    }

    /** The lines of one loop that have not been written yet. */
    final class Lines {

        private final StringBuilder text = new StringBuilder();
        private ByteBuffer octets = ByteBuffer.allocateDirect(2 * ENOUGH);

        void add(String client, String request, Status status, long sent) {
            CommonLog.append(text, client, System.currentTimeMillis() / 1000, request, status, sent);
            if (text.length() >= ENOUGH) {
                flush();
            }
        }

        void flush() {
            if (text.isEmpty()) {
                return;
            }
            if (octets.capacity() < text.length()) {
                octets = ByteBuffer.allocateDirect(2 * text.length());
            }
            octets.clear();
            for (int i = 0; i < text.length(); i++) {
                // The format is ASCII.
                octets.put((byte) text.charAt(i));
            }
            text.setLength(0);
            write(octets.flip());
        }
    }
}
