package dev.sluice.samples.web.protocol;

import dev.sluice.samples.io.CountedMemory;
import dev.sluice.samples.io.Message;
import dev.sluice.samples.web.files.FileEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The reply to a request: first a description, made by the handler and the filters of a {@link Pipeline}, and then the
 * resulting octets.
 *
 * <p>A connection reuses its reply, and must close it after sending and before it drops it: a reply with a file holds
 * the file open. Not thread-safe.
 */
public final class Reply implements Message {

    private final ResponseHead builder = new ResponseHead();
    /** Names and values in turn. */
    private final List<String> extra = new ArrayList<>();
    private final ReplyOctets wire = new ReplyOctets();
    private Status status;
    private boolean persistent;
    private FileEntry file;
    /** The content of the file if it is in memory, or else room to read pieces of it into; perhaps null. */
    private CountedMemory memory;
    private boolean inMemory;
    private String type;
    private boolean coded;
    private byte[] page;
    /** Whether many replies have the same octets, which are no burden then. */
    private boolean shared;
    /** Of the page, if it is in memory that is counted. */
    private int pageLength;
    private List<ByteRange> ranges;

    /** Creates an empty reply. */
    public Reply() {
    }

    // Described by the handler and the filters

    /**
     * Becomes a page about this outcome, without the file and whatever else has been said of it.
     *
     * @param outcome the outcome of the request
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
     * Sets memory that the file is read into, for a driver that has none of its own.
     *
     * @param target a reference that is taken over until the reply is closed, or turns out to be without its file
     */
    public void readInto(CountedMemory target) {
        memory = target;
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
     * @param octets    not to be modified
     * @throws IllegalArgumentException if the media type has characters that no {@linkplain #field field} may have
     */
    public void answer(String mediaType, byte[] octets) {
        HttpGrammar.requireValue("Content-Type", mediaType);
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
     * @param octets    not to be modified
     * @throws IllegalArgumentException if the media type has characters that no {@linkplain #field field} may have
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
     * @param value the value, in ASCII and without control characters other than the tab
     * @throws IllegalArgumentException if one of them has other characters, as the input of a client may
     */
    public void field(String name, String value) {
        HttpGrammar.requireName(name);
        HttpGrammar.requireValue(name, value);
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
        wire.file(inMemory ? memory : null, from, count);
    }

    private void endHead() {
        putExtra();
        wire.begin(builder.end());
    }

    private void putExtra() {
        for (int i = 0; i < extra.size(); i += 2) {
            builder.field(extra.get(i), extra.get(i + 1));
        }
    }

    /** The parts of the file one after the other. */
    void endWithParts(Multipart parts) {
        putExtra();
        int endOfHead = builder.endOfFields();
        wire.begin(parts.writeDelimiters(builder), endOfHead, parts, inMemory ? memory : null);
    }

    void endWithContent(byte[] body) {
        endWithoutContent();
        wire.content(body);
    }

    void endWithoutContent() {
        endHead();
        releaseFile();
    }

    /** Makes this the interim reply {@code 100 Continue}, after which the same request goes on. */
    public void continueRequest() {
        close();
        wire.begin(builder.interim());
        persistent = true;
    }

    // Sent

    @Override
    public boolean next() {
        return wire.next();
    }

    @Override
    public long bodySent(long fileSent) {
        return wire.bodySent(fileSent);
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
        return wire.head();
    }

    @Override
    public ByteBuffer content() {
        return wire.content();
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
    public CountedMemory memory() {
        return inMemory ? null : memory;
    }

    @Override
    public long offset() {
        return wire.offset();
    }

    @Override
    public long length() {
        return wire.length();
    }

    @Override
    public long following() {
        return wire.following();
    }

    /** Lets go of the file and the memory. The reply can be used again. */
    @Override
    public void close() {
        status = null;
        wire.clear();
        coded = false;
        page = null;
        pageLength = 0;
        ranges = null;
        extra.clear();
        releaseFile();
    }

    /** {@linkplain #close() Closes} it permanently: the connection ends, and nothing of it is still being sent. */
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
        if (used != null) {
            used.release();
        }
        if (held != null) {
            held.release();
        }
    }
}
