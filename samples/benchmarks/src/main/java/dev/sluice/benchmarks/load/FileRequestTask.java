package dev.sluice.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Asks a web server for one file. The reply ends with the connection, and every byte of the file is compared. */
final class FileRequestTask implements RequestTask {

    private static final byte[] STATUS = "HTTP/1.1 200 ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final RequestedFile file;
    private final Measurement measurement;
    private final ByteBuffer request;
    private final ByteBuffer expected;
    private final int size;
    private final long began = System.nanoTime();
    private int headLength;
    /** How much of the end of the head the last bytes are. */
    private int ofItsEnd;
    private boolean ended;

    /**
     * Creates a task whose time begins now.
     *
     * @param file        to ask for
     * @param measurement takes the latency
     */
    FileRequestTask(RequestedFile file, Measurement measurement) {
        this.file = file;
        this.measurement = measurement;
        request = file.request();
        expected = file.content();
        size = expected.limit();
    }

    @Override
    public ByteBuffer unsent() {
        return request;
    }

    @Override
    public void received(ByteBuffer bytes) throws IOException {
        measurement.received(bytes.remaining());
        while (ofItsEnd < END_OF_HEAD.length && bytes.hasRemaining()) {
            headByte(bytes.get());
        }
        if (bytes.hasRemaining()) {
            compare(bytes);
        }
    }

    private void headByte(byte next) throws IOException {
        if (headLength < STATUS.length && next != STATUS[headLength]) {
            throw new IOException(file + ": the reply does not begin as one that brings it, byte " + headLength
                    + " is " + next);
        }
        headLength++;
        if (next == END_OF_HEAD[ofItsEnd]) {
            ofItsEnd++;
        } else {
            ofItsEnd = next == END_OF_HEAD[0] ? 1 : 0;
        }
    }

    private void compare(ByteBuffer bytes) throws IOException {
        int before = expected.position();
        int count = bytes.remaining();
        if (count > size - before) {
            throw new IOException(file + ": more came than its " + size + " bytes");
        }
        expected.limit(before + count);
        int wrong = bytes.mismatch(expected);
        if (wrong >= 0) {
            throw new IOException(file + ": byte " + (before + wrong) + " is wrong");
        }
        expected.limit(size).position(before + count);
        if (!expected.hasRemaining()) {
            measurement.completed(System.nanoTime() - began);
        }
    }

    @Override
    public void ended() throws IOException {
        if (expected.hasRemaining()) {
            throw new EOFException(file + ": the server has closed the connection after " + expected.position()
                    + " of its " + size + " bytes");
        }
        ended = true;
    }

    @Override
    public boolean isComplete() {
        return ended;
    }
}
