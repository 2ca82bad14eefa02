package dev.sluice.samples;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/** Standard error of this JVM, shared by the samples that run in it: each gets what its threads print. */
final class SampleErrors extends OutputStream {

    /** Of a thread, and of those that it starts. */
    private static final InheritableThreadLocal<OutputStream> OF_SAMPLE = new InheritableThreadLocal<>();

    static {
        System.setErr(new PrintStream(new SampleErrors(System.err), true));
    }

    private final OutputStream others;

    private SampleErrors(OutputStream others) {
        this.others = others;
    }

    /** Takes what the calling thread prints from now on, and the threads that it starts. */
    static void capture(CapturedOutput errors) {
        OF_SAMPLE.set(errors.stream());
    }

    private static OutputStream choose(OutputStream others) {
        OutputStream ofSample = OF_SAMPLE.get();
        return ofSample == null ? others : ofSample;
    }

    @Override
    public void write(int octet) throws IOException {
        choose(others).write(octet);
    }

    @Override
    public void write(byte[] piece, int offset, int length) throws IOException {
        choose(others).write(piece, offset, length);
    }

    @Override
    public void flush() throws IOException {
        choose(others).flush();
    }
}
