package dev.sluice.samples.io;

import dev.sluice.handle.MappedFile;
import dev.sluice.samples.web.files.FileEntry;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A message in transfer: its sender takes from it what is left to send. First {@link #head()}, then {@link #content()}
 * or the file from {@link #filePosition()} on. If {@link #needsPiece()}, the next part of the content has to be read
 * from the file, and be handed to {@link #convert} first. Reused from message to message.
 */
final class Transmission {

    /** The most of a file to send in one step, so that every connection gets its turn and progress is seen. */
    private static final int PIECE = 256 * 1024;
    /** The same where the kernel sends it: a reply of this size is one call, as smaller steps cost a call each. */
    private static final int TRANSMITTED_PIECE = 1024 * 1024;
    /** The maximum of a file to convert in one step: the result is retained until the client takes it. */
    private static final int CONVERTED = 16 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Message message;
    private final Throttle throttle = new Throttle();
    private FileTraffic traffic;
    /** Null if files travel as all others do. */
    private FileWays ownWays;
    private long fileSent;
    private ByteBuffer mapped;
    private ByteBuffer converted = NOTHING;

    Transmission(Message message) {
        this.message = message;
    }

    /**
     * Sets the object that decides how files are sent, and that records how much of them has been, from the next
     * message on.
     */
    void traffic(FileTraffic some) {
        traffic = some;
    }

    /** Files always travel like this. */
    void alwaysBy(FileWays ways) {
        ownWays = ways;
    }

    /** {@return how this file travels in the next step, unless it is converted} It may be another way each time. */
    FileIo fileIo() {
        return (ownWays == null ? traffic.ways() : ownWays).way(SizeClass.of(message.length()));
    }

    /** {@return how fast it may go} */
    Throttle throttle() {
        return throttle;
    }

    /** {@return the most of a file to send in one step} */
    int piece() {
        return throttle.share(PIECE);
    }

    /** {@return the most of a file to send in one step, if the kernel sends it} */
    int transmittedPiece() {
        return throttle.share(TRANSMITTED_PIECE);
    }

    /** {@return the file of which there is something left to send, or null} */
    FileEntry file() {
        return message.file();
    }

    /** {@return memory to read the file into; null if the driver has to have its own} */
    CountedMemory memory() {
        return message.memory();
    }

    /** {@return what is left of the head; sending advances it} */
    ByteBuffer head() {
        return message.head();
    }

    /** {@return what is left of a content that is not a file's, or of what it becomes; sending advances it} */
    ByteBuffer content() {
        return message.conversion() == null ? message.content() : converted;
    }

    /** {@return whether the file has to be converted; then only {@link #content()} is sent, never the file} */
    boolean isConverted() {
        return message.conversion() != null;
    }

    /** {@return whether there is something of a converted file left, and nothing of it to be sent} */
    boolean needsPiece() {
        return isConverted() && fileLeft() > 0 && !converted.hasRemaining();
    }

    /** The next part of the file has been read, to be sent as content. */
    void convert(ByteBuffer piece) {
        fileSent += piece.remaining();
        converted = message.conversion().convert(piece);
    }

    /** {@return where in the file to go on} */
    long filePosition() {
        return message.offset() + fileSent;
    }

    /** {@return how much of the file is left to send} */
    long fileLeft() {
        return message.file() == null ? 0 : message.length() - fileSent;
    }

    /** Octets of the file have been sent. */
    void fileSent(long count) {
        fileSent += count;
        traffic.sent(SizeClass.of(message.length()), count);
    }

    /** {@return how much is left to send, without what comes behind this part of a file} */
    long left() {
        return head().remaining() + content().remaining() + message.following() + fileLeft();
    }

    /** {@return whether nothing of this part is left to send: from its beginning, if it is an empty file} */
    boolean isDone() {
        return !head().hasRemaining() && !content().hasRemaining() && fileLeft() == 0;
    }

    /** Turns to the next part of the message if this one has been sent; returns whether there is more to send. */
    boolean goesOn() {
        if (!isDone()) {
            return true;
        }
        boolean more = message.next();
        if (more) {
            fileSent = 0;
        }
        return more;
    }

    /**
     * {@return whether all that is left of this part may be copied, and fits}
     *
     * @param space the number of octets that may be copied
     */
    boolean fits(int space) {
        boolean copies = !isConverted() && (fileLeft() == 0 || fileIo() != FileIo.TRANSMIT);
        return copies && throttle.isOff() && head().remaining() + content().remaining() + fileLeft() <= space;
    }

    /**
     * Counts as sent what is copied: all that is left of this part, which has to {@linkplain #fits fit}.
     *
     * @param target takes it
     * @throws EOFException if the file is shorter than announced
     * @throws IOException  if it cannot be read
     */
    void copyTo(ByteBuffer target) throws IOException {
        copyMemoryTo(target);
        int end = target.limit();
        // A part of a file may have more behind it.
        target.limit(target.position() + (int) fileLeft());
        while (fileLeft() > 0) {
            int count = message.file().file().read(target, filePosition());
            requireFile(count > 0);
            fileSent += count;
        }
        target.limit(end);
    }

    /** As {@link #copyTo}, without the file. */
    void copyMemoryTo(ByteBuffer target) {
        target.put(head()).put(content());
    }

    /** {@return how many octets of the body have been sent} */
    long bodySent() {
        return message.bodySent(fileSent);
    }

    /**
     * {@return what is left of the file as memory, which belongs to this object; null if the file is too large to map}
     *
     * @param maximum the most to return
     * @throws EOFException if the file is shorter than announced
     * @throws IOException  if the system refuses to map it
     */
    ByteBuffer mapped(int maximum) throws IOException {
        // The rest of the last page would be sent as zeros, without an error.
        requireWhole();
        if (mapped == null) {
            MappedFile mapping = message.file().mapping();
            if (mapping == null) {
                return null;
            }
            mapped = mapping.buffer();
        }
        int position = (int) filePosition();
        return mapped.limit(position + (int) Math.min(fileLeft(), maximum)).position(position);
    }

    /**
     * Reads what is left of the file.
     *
     * @param buffer takes as much as it has room for, and is flipped
     * @return the buffer
     * @throws EOFException if the file is shorter than announced
     * @throws IOException  if it cannot be read
     */
    ByteBuffer read(ByteBuffer buffer) throws IOException {
        limit(buffer);
        requireFile(message.file().file().read(buffer, filePosition()) > 0);
        return buffer.flip();
    }

    /** Limits an empty buffer to what is to be read in one step. */
    void limit(ByteBuffer buffer) {
        int maximum = isConverted() ? Math.min(CONVERTED, buffer.capacity()) : buffer.capacity();
        buffer.limit((int) Math.min(fileLeft(), throttle.share(maximum)));
    }

    /** Checks a file that is sent from memory, where what is missing looks like zeros or like a failure. */
    void requireWhole() throws IOException {
        requireFile(message.file().file().size() >= message.file().stamp().size());
    }

    /** Nothing but the end of the connection can tell a client that its file ends before its announced length. */
    void requireFile(boolean there) throws EOFException {
        if (!there) {
            throw new EOFException(message.file().file() + " has been truncated while it was being sent");
        }
    }

    /** Lets go of the message, sent or not. */
    void end() {
        message.close();
        fileSent = 0;
        mapped = null;
        converted = NOTHING;
    }
}
