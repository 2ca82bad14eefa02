package dev.sluice.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** What a sample writes to one of its outputs, as it comes. */
public class CapturedOutput {

    private final Duration limit;
    private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
    private boolean held;
    /** How much of it is read nevertheless. */
    private long allowed;
    private boolean firstLine;
    private boolean ended;

    /** Takes what is written to its {@linkplain #stream() stream}. */
    CapturedOutput(Duration limit) {
        this(false, limit);
    }

    /** Takes what is written to its {@linkplain #stream() stream}, and has the writer wait while it is held. */
    CapturedOutput(boolean held, Duration limit) {
        this.held = held;
        this.limit = limit;
    }

    /** Takes a piece after those before. */
    synchronized void add(byte[] piece, int offset, int length) {
        seen.write(piece, offset, length);
        notifyAll();
    }

    /** Takes what comes from a source. */
    CapturedOutput(InputStream source, boolean held, Duration limit) {
        this(held, limit);
        Thread thread = new Thread(() -> capture(source), "output of a sample");
        thread.setDaemon(true);
        thread.start();
    }

    /** {@return a stream whose octets it takes} */
    OutputStream stream() {
        return new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                write(new byte[] {(byte) octet}, 0, 1);
            }

            @Override
            public void write(byte[] piece, int offset, int length) throws IOException {
                try {
                    take(piece, offset, length);
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
            }
        };
    }

    private void capture(InputStream source) {
        byte[] piece = new byte[8192];
        try {
            for (int length = source.read(piece); length >= 0; length = source.read(piece)) {
                take(piece, 0, length);
            }
        } catch (IOException | InterruptedException e) {
            // The process was ended while it was being read: the same as the end of the stream.
        } finally {
            end();
        }
    }

    private synchronized void take(byte[] piece, int offset, int length) throws InterruptedException {
        add(piece, offset, length);
        for (int i = offset; i < offset + length && !firstLine; i++) {
            firstLine = piece[i] == '\n';
        }
        while (held && firstLine && seen.size() >= allowed) {
            wait();
        }
    }

    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Reads the given number of further bytes, and at most some thousand beyond them, and then stops. */
    public synchronized void release(int bytes) {
        allowed = seen.size() + bytes;
        notifyAll();
    }

    /** Reads on. */
    public synchronized void release() {
        held = false;
        notifyAll();
    }

    public synchronized String text() {
        return seen.toString(UTF_8);
    }

    public List<String> lines() {
        return text().lines().toList();
    }

    /** Waits for a whole line. */
    public synchronized String awaitLine(String what, Predicate<String> wanted) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            String text = text();
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            for (String line : whole.lines().toList()) {
                if (wanted.test(line)) {
                    return line;
                }
            }
            if (ended) {
                fail("ended without " + what + ": " + text);
            }
            waitUntil(end, what);
        }
    }

    /** Waits until it holds this many bytes. */
    public synchronized void awaitSize(long bytes) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (seen.size() < bytes) {
            if (ended) {
                fail("ended with " + seen.size() + " of " + bytes + " bytes");
            }
            waitUntil(end, bytes + " bytes");
        }
    }

    /** Waits for the end of the stream, and returns all of it. */
    public synchronized String awaitEnd() throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!ended) {
            waitUntil(end, "the end");
        }
        return text();
    }

    private void waitUntil(long end, String what) throws InterruptedException {
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
            String text = text();
            String start = text.substring(0, Math.min(2000, text.length()));
            fail("no " + what + " within " + limit + " in: " + start);
        }
        wait(left);
    }
}
