package dev.sluice.samples.server;

import dev.sluice.samples.lines.Unprintable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.time.Duration;

/**
 * Standard error for a process whose event loops log: printing never blocks. Output while a pipe is full or a terminal
 * is stopped is kept up to a limit, and then dropped and counted. Lines that are printed, as those of the log are, have
 * no {@linkplain Unprintable unprintable} characters.
 */
public final class StandardError extends PrintStream {

    private static final int MAX_PENDING = 1 << 20;
    /** How long the end of the process waits for what is pending. */
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private StandardError(OutputStream lines) {
        super(lines, true, charset());
    }

    /** Replaces the process's {@code System.err}; what is pending at its end is written then. */
    public static void install() {
        ConsoleDestination destination =
                new ConsoleDestination(new FileOutputStream(FileDescriptor.err).getChannel());
        DroppingLineWriter writer = newWriter(destination);
        System.setErr(new StandardError(streamTo(writer)));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> flush(writer), "standard-error-flush"));
    }

    /** {@return a stream of this kind}
     *
     * @param writer where its lines go
     */
    static PrintStream to(DroppingLineWriter writer) {
        return new StandardError(streamTo(writer));
    }

    /** {@return a writer that puts the number of lines that are lost in their place} */
    static DroppingLineWriter newWriter(LineDestination destination) {
        return new DroppingLineWriter("standard-error", destination, MAX_PENDING,
                new DroppingLineWriter.LossListener() {
                    @Override
                    public void failed(long lines, IOException cause) {
                        // There is nowhere else to report it.
                    }

                    @Override
                    public String resumed(long lines) {
                        return "[" + lines + " lines dropped here: standard error was blocked]";
                    }
                });
    }

    private static OutputStream streamTo(DroppingLineWriter writer) {
        return new OutputStream() {
            @Override
            public void write(int octet) {
                write(new byte[] {(byte) octet}, 0, 1);
            }

            @Override
            public void write(byte[] octets, int offset, int length) {
                writer.add(ByteBuffer.wrap(octets, offset, length));
            }
        };
    }

    private static void flush(DroppingLineWriter writer) {
        try {
            writer.flush(TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Charset charset() {
        // As Java itself does it, in its later versions and in the earlier ones.
        String name = System.getProperty("stderr.encoding", System.getProperty("sun.stderr.encoding"));
        return name == null ? Charset.defaultCharset() : Charset.forName(name);
    }

    @Override
    public void println(String line) {
        // In one piece, so that it is dropped as a whole.
        print(Unprintable.escape(String.valueOf(line)) + System.lineSeparator());
    }

    @Override
    public void println(Object line) {
        println(String.valueOf(line));
    }
}
