package dev.sluice.samples.web.protocol;

import dev.sluice.samples.web.files.FileEntry;
import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * What to send, in this order: the {@link #head()}, then the {@link #content()} or a part of a {@link #file()}, never
 * both. An I/O strategy moves these octets and need not know what they mean.
 *
 * <p>A connection reuses its reply, or several for pipelined requests, and must close it after sending and before it
 * drops it: a reply with a file holds the file open. Not thread-safe.
 */
public final class Reply implements Closeable {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ResponseHead builder = new ResponseHead();
    private Status status;
    private boolean persistent;
    private ByteBuffer head = NOTHING;
    private ByteBuffer content = NOTHING;
    private FileEntry file;
    private long offset;
    private long length;

    /** Makes an empty reply. */
    public Reply() {
    }

    ResponseHead start(Status outcome, boolean stays) {
        status = outcome;
        persistent = stays;
        return builder.start(outcome);
    }

    ResponseHead builder() {
        return builder;
    }

    /** Takes over a reference to the entry, until the reply is closed or turns out to be without the file. */
    void hold(FileEntry entry) {
        file = entry;
    }

    void endWithFile(long from, long count) {
        head = builder.end();
        offset = from;
        length = count;
    }

    void endWithContent(byte[] octets) {
        endWithoutContent();
        content = ByteBuffer.wrap(octets).asReadOnlyBuffer();
        length = octets.length;
    }

    void endWithoutContent() {
        head = builder.end();
        releaseFile();
    }

    /** Makes this the interim reply {@code 100 Continue}, after which the same request goes on. */
    public void continueRequest() {
        close();
        head = builder.interim();
        persistent = true;
    }

    /** {@return the outcome; null for an interim reply} */
    public Status status() {
        return status;
    }

    /** {@return whether the connection stays open after this reply} */
    public boolean isPersistent() {
        return persistent;
    }

    /** {@return what is left to send of the head} */
    public ByteBuffer head() {
        return head;
    }

    /** {@return what is left to send of a content that is not a file's} */
    public ByteBuffer content() {
        return content;
    }

    /**
     * {@return the file to send a part of, or null; the connection has to be cut if the file turns out to be shorter
     * meanwhile, for its length has been announced}
     */
    public FileEntry file() {
        return file;
    }

    /** {@return where the part of the file begins} */
    public long offset() {
        return offset;
    }

    /** {@return the length of the body in octets} */
    public long length() {
        return length;
    }

    /** Lets go of the file. The reply can be used again. */
    @Override
    public void close() {
        status = null;
        head = NOTHING;
        content = NOTHING;
        offset = 0;
        length = 0;
        releaseFile();
    }

    private void releaseFile() {
        FileEntry held = file;
        file = null;
        if (held != null) {
            held.release();
        }
    }
}
