package dev.sluice.samples.web.protocol;

import dev.sluice.samples.web.files.FileEntry;
import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * What to send, in this order: the {@link #head()}, then the {@link #content()} or a part of a {@link #file()}, never
 * both. Where several parts of a file are asked for, {@link #next()} turns to the next one, with what comes before it
 * as the head. An I/O strategy moves these octets and need not know what they mean.
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
    private Multipart parts;
    private int part;
    /** Where in the head the body begins that belongs to this part. */
    private int fields;
    /** How much of the body has gone with the parts before. */
    private long before;

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
        endHead();
        offset = from;
        length = count;
    }

    private void endHead() {
        head = builder.end();
        fields = head.limit();
    }

    /** The parts of the file one after the other. */
    void endWithParts(Multipart multipart) {
        parts = multipart;
        fields = builder.endOfFields();
        head = multipart.writeDelimiters(builder);
        turnTo(0);
    }

    /**
     * Turns to the next part of the file, when this one has been sent.
     *
     * @return whether there is more to send
     */
    public boolean next() {
        if (parts == null || part == parts.count()) {
            return false;
        }
        before = bodySent(length);
        fields = head.position();
        turnTo(part + 1);
        return true;
    }

    // After the last part comes the delimiter that closes them all, with nothing of the file.
    private void turnTo(int number) {
        part = number;
        head.limit(parts.delimiterEnd(part));
        offset = part < parts.count() ? parts.range(part).offset() : 0;
        length = part < parts.count() ? parts.range(part).length() : 0;
    }

    /**
     * How much of the body has been sent.
     *
     * @param fileSent how many octets of the part of the file that it is turned to
     * @return octets
     */
    public long bodySent(long fileSent) {
        return before + Math.max(0, head.position() - fields) + content.position() + fileSent;
    }

    void endWithContent(byte[] octets) {
        endWithoutContent();
        content = ByteBuffer.wrap(octets).asReadOnlyBuffer();
        length = octets.length;
    }

    void endWithoutContent() {
        endHead();
        releaseFile();
    }

    /** Makes this the interim reply {@code 100 Continue}, after which the same request goes on. */
    public void continueRequest() {
        close();
        head = builder.interim();
        fields = head.limit();
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

    /** {@return the length of the content, or of this part of the file, in octets} */
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
        parts = null;
        fields = 0;
        before = 0;
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
