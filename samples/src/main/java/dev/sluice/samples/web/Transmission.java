package dev.sluice.samples.web;

import dev.sluice.handle.MappedFile;
import dev.sluice.samples.web.protocol.Reply;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A reply on its way: what of it has gone and what is left, for whoever sends it. First {@link #head()}, then
 * {@link #content()} or the file from {@link #filePosition()} on. Reused from reply to reply.
 */
final class Transmission {

    /** The most of a file to send in one step, so that every connection gets its turn and progress is seen. */
    static final int PIECE = 256 * 1024;
    private static final int SMALL = 16 * 1024;

    private final Reply reply = new Reply();
    private long fileSent;
    private ByteBuffer mapped;

    /** {@return the reply, to be made} */
    Reply reply() {
        return reply;
    }

    /** {@return what is left of the head; sending advances it} */
    ByteBuffer head() {
        return reply.head();
    }

    /** {@return what is left of a content that is not a file's; sending advances it} */
    ByteBuffer content() {
        return reply.content();
    }

    /** {@return where in the reply's file to go on} */
    long filePosition() {
        return reply.offset() + fileSent;
    }

    /** {@return how much of the file is left to send} */
    long fileLeft() {
        return reply.file() == null ? 0 : reply.length() - fileSent;
    }

    /** {@return whether it is better to read the file and to send it together with its head} */
    boolean isSmall() {
        return reply.length() <= SMALL;
    }

    /** Octets of the file have been sent. */
    void fileSent(long count) {
        fileSent += count;
    }

    /** Turns to the next part of the reply if this one has been sent; tells whether there is more to send. */
    boolean goesOn() {
        if (head().hasRemaining() || content().hasRemaining() || fileLeft() > 0) {
            return true;
        }
        boolean more = reply.next();
        if (more) {
            fileSent = 0;
        }
        return more;
    }

    /** {@return how many octets of the body have been sent} */
    long bodySent() {
        return reply.bodySent(fileSent);
    }

    /**
     * {@return what is left of the file as memory, which belongs to this object; null if the file is too large to map}
     *
     * @param most the most to return
     * @throws EOFException if the file is shorter than announced
     * @throws IOException  if the system refuses to map it
     */
    ByteBuffer mapped(int most) throws IOException {
        // The rest of the last page would be sent as zeros, without an error.
        requireWhole();
        if (mapped == null) {
            MappedFile mapping = reply.file().mapping();
            if (mapping == null) {
                return null;
            }
            mapped = mapping.buffer();
        }
        int position = (int) filePosition();
        return mapped.limit(position + (int) Math.min(fileLeft(), most)).position(position);
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
        buffer.limit((int) Math.min(fileLeft(), buffer.capacity()));
        requireFile(reply.file().file().read(buffer, filePosition()) > 0);
        return buffer.flip();
    }

    /** Checks a file that is sent from memory, where what is missing looks like zeros or like a failure. */
    void requireWhole() throws IOException {
        requireFile(reply.file().file().size() >= reply.file().stamp().size());
    }

    /** Nothing but the end of the connection can tell a client that its file ends before its announced length. */
    void requireFile(boolean there) throws EOFException {
        if (!there) {
            throw new EOFException(reply.file().file() + " has been cut while it was being sent");
        }
    }

    /** Lets go of the reply, sent or not. */
    void end() {
        reply.close();
        fileSent = 0;
        mapped = null;
    }
}
