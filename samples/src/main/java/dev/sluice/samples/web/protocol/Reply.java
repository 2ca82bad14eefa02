package dev.sluice.samples.web.protocol;

import dev.sluice.samples.io.CountedMemory;
import dev.sluice.samples.io.Message;
import dev.sluice.samples.web.files.FileEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What answers a request. Where several parts of a file are asked for, {@link #next()} turns to the next one, with what
 * comes before it as the head.
 *
 * <p>Before that it is a description, which the handler and the filters of a {@link Pipeline} make.
 *
 * <p>A connection reuses its reply, and must close it after sending and before it drops it: a reply with a file holds
 * the file open. Not thread-safe.
 */
public final class Reply implements Message {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ResponseHead builder = new ResponseHead();
    /** Names and values in turn. */
    private final List<String> extra = new ArrayList<>();
    private Status status;
    private boolean persistent;
    private ByteBuffer head = NOTHING;
    private ByteBuffer content = NOTHING;
    private FileEntry file;
    /** The content of the file if it is in memory, or else room to read pieces of it into; perhaps null. */
    private CountedMemory memory;
    private boolean inMemory;
    /** Where in the memory the content goes on behind what it is turned to, and where it ends. */
    private long memoryAt;
    private long memoryEnd;
    private String type;
    private boolean coded;
    private byte[] page;
    /** Whether many replies have the same octets, which are no burden then. */
    private boolean shared;
    /** Of the page, if it is in memory that is counted. */
    private int pageLength;
    private List<ByteRange> ranges;
    /** Where in its buffer the content begins that it is turned to. */
    private int contentStart;
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

    // Described by the handler and the filters

    /**
     * Becomes a page about this outcome, without the file and whatever else has been said of it.
     *
     * @param outcome what has become of the request
     */
    public void answer(Status outcome) {
        releaseFile();
        extra.clear();
        ranges = null;
        coded = false;
        page = null;
        pageLength = 0;
        status = outcome;
    }

    /** Becomes this file. Takes over a reference to the entry, until the reply is closed or turns out to be without. */
    void answer(FileEntry entry) {
        answer(Status.OK);
        file = entry;
        type = entry.type();
    }

    /**
     * Becomes a file whose octets are in memory; nothing of it is read.
     *
     * @param found   what the file is like; it need not be open
     * @param content all of its octets, at least one; a reference that is taken over until the reply is closed, or
     *                turns out to be without
     */
    public void answer(Representation found, CountedMemory content) {
        answer(Status.OK);
        file = found.file();
        type = found.type();
        coded = found.isCoded();
        extra.addAll(found.fields());
        memory = content;
        inMemory = true;
    }

    /**
     * {@return what the file is like that this {@linkplain #isFile() is}, for others that are to be the same; good as
     * long as the reply has its file open, and after that for {@link #answer(Representation, CountedMemory)}}
     */
    public Representation representation() {
        return new Representation(file, type, coded, List.copyOf(extra));
    }

    /**
     * Has the file be read into some memory on its way, by a driver that has none of its own.
     *
     * @param room a reference that is taken over until the reply is closed, or turns out to be without its file
     */
    public void readInto(CountedMemory room) {
        memory = room;
    }

    /**
     * Becomes a refusal of a server that has too much to do.
     *
     * @param seconds after which the client may try again
     */
    public void busy(int seconds) {
        answer(Status.BUSY);
        field("Retry-After", Integer.toString(seconds));
    }

    /** Becomes this file in a coding, which the field Content-Encoding has to tell; for the rest as above. */
    void select(FileEntry entry) {
        releaseFile();
        file = entry;
        coded = true;
    }

    /** {@return whether the file is in a coding} */
    boolean isCoded() {
        return coded;
    }

    /** {@return the media type of the file, whatever its coding} */
    String type() {
        return type;
    }

    /**
     * Becomes these octets.
     *
     * @param mediaType what they are, in ASCII
     * @param octets    nobody may write to them
     */
    public void answer(String mediaType, byte[] octets) {
        answer(Status.OK);
        type = mediaType;
        page = octets;
        pageLength = octets.length;
        shared = false;
    }

    /**
     * Becomes these octets, which other replies become, too.
     *
     * @param mediaType what they are, in ASCII
     * @param octets    nobody may write to them
     */
    public void answerAlike(String mediaType, byte[] octets) {
        answer(mediaType, octets);
        shared = true;
    }

    /** {@return octets that are here for this reply alone, at least one; null if there are none} */
    public byte[] ownOctets() {
        return shared || pageLength == 0 ? null : page;
    }

    /**
     * Sends its {@linkplain #ownOctets() own octets} from some memory, and keeps them no longer.
     *
     * @param copy of all of them; a reference that is taken over until the reply is closed, or turns out to be without
     */
    public void moveTo(CountedMemory copy) {
        page = null;
        memory = copy;
        inMemory = true;
    }

    /** {@return whether there are octets that are no page about the outcome} */
    boolean hasPage() {
        return page != null || pageLength > 0;
    }

    /** {@return how many these are} */
    int pageLength() {
        return pageLength;
    }

    void endWithPage() {
        if (inMemory) {
            endWithFile(0, pageLength);
        } else {
            endWithContent(page);
        }
    }

    /** {@return whether it is a whole file so far} */
    public boolean isFile() {
        return status == Status.OK && file != null;
    }

    /** Tells of the file only that it is still the one the client has. */
    void notModified() {
        status = Status.NOT_MODIFIED;
    }

    /** Becomes parts of the file, one at least. */
    void parts(List<ByteRange> some) {
        status = Status.PARTIAL_CONTENT;
        ranges = some;
    }

    /** {@return the parts of the file, or null for the whole of it} */
    List<ByteRange> ranges() {
        return ranges;
    }

    /**
     * Adds a field to the head, behind those that every reply of its kind has. A page that takes the place of this
     * reply has none of them.
     *
     * @param name  the name
     * @param value the value, in ASCII and without line ends
     */
    public void field(String name, String value) {
        extra.add(name);
        extra.add(value);
    }

    // Made into octets by the end of the pipeline

    ResponseHead start(boolean stays) {
        persistent = stays;
        return builder.start(status);
    }

    void endWithFile(long from, long count) {
        endHead();
        turnTo(from, count);
    }

    private void turnTo(long from, long count) {
        offset = from;
        length = count;
        content = NOTHING;
        contentStart = 0;
        if (inMemory && count > 0) {
            memoryAt = from;
            memoryEnd = from + count;
            turnToBlock();
        }
    }

    private void turnToBlock() {
        content = memory.octets(memoryAt, memoryEnd - memoryAt);
        memoryAt += content.remaining();
        contentStart = content.position();
    }

    private void endHead() {
        putExtra();
        head = builder.end();
        fields = head.limit();
    }

    private void putExtra() {
        for (int i = 0; i < extra.size(); i += 2) {
            builder.field(extra.get(i), extra.get(i + 1));
        }
    }

    /** The parts of the file one after the other. */
    void endWithParts(Multipart multipart) {
        putExtra();
        parts = multipart;
        fields = builder.endOfFields();
        head = multipart.writeDelimiters(builder);
        turnTo(0);
    }

    @Override
    public boolean next() {
        if (memoryAt < memoryEnd) {
            before += content.position() - contentStart;
            turnToBlock();
            return true;
        }
        if (parts == null || part == parts.count()) {
            return false;
        }
        before = bodySent(inMemory ? 0 : length);
        fields = head.position();
        turnTo(part + 1);
        return true;
    }

    // After the last part comes the delimiter that closes them all, with nothing of the file.
    private void turnTo(int number) {
        part = number;
        head.limit(parts.delimiterEnd(part));
        boolean last = part == parts.count();
        turnTo(last ? 0 : parts.range(part).offset(), last ? 0 : parts.range(part).length());
    }

    @Override
    public long bodySent(long fileSent) {
        return before + Math.max(0, head.position() - fields) + content.position() - contentStart + fileSent;
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

    @Override
    public ByteBuffer head() {
        return head;
    }

    @Override
    public ByteBuffer content() {
        return content;
    }

    /** {@return what the file is like that is being described; null if it is none} */
    FileEntry entry() {
        return file;
    }

    /** {@return the file to send a part of; null if there is none, or its octets are in memory} */
    @Override
    public FileEntry file() {
        return inMemory ? null : file;
    }

    @Override
    public CountedMemory room() {
        return inMemory ? null : memory;
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public long length() {
        return length;
    }

    /** Lets go of the file and the memory. The reply can be used again. */
    @Override
    public void close() {
        status = null;
        head = NOTHING;
        content = NOTHING;
        contentStart = 0;
        offset = 0;
        length = 0;
        parts = null;
        fields = 0;
        before = 0;
        coded = false;
        page = null;
        pageLength = 0;
        ranges = null;
        extra.clear();
        releaseFile();
    }

    /** {@linkplain #close() Closes} it for good: the connection ends, and nothing of it is still being sent. */
    public void retire() {
        close();
        builder.retire();
    }

    private void releaseFile() {
        FileEntry held = inMemory ? null : file;
        CountedMemory used = memory;
        file = null;
        memory = null;
        inMemory = false;
        memoryAt = 0;
        memoryEnd = 0;
        if (used != null) {
            used.release();
        }
        if (held != null) {
            held.release();
        }
    }
}
