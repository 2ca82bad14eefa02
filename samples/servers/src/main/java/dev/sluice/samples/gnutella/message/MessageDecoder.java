package dev.sluice.samples.gnutella.message;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Decodes the messages in the stream of one neighbour, in pieces of any size. Holds at most one incomplete message,
 * with the memory that its header requires. For one thread at a time.
 */
public final class MessageDecoder {

    private final ByteBuffer header = ByteBuffer.allocate(Message.HEADER);
    private final Consumer<Message> complete;
    private final Runnable unknown;
    /** A message whose header is there; null if none is. */
    private ByteBuffer partial;
    private MessageType type;
    /** The number of bytes left of a message of an unknown type. */
    private int skipped;

    /**
     * Begins before the first message.
     *
     * @param complete is given each message
     * @param unknown  is run for each message of an unknown type, once its header is there
     */
    public MessageDecoder(Consumer<Message> complete, Runnable unknown) {
        this.complete = complete;
        this.unknown = unknown;
    }

    /**
     * Takes more of the stream.
     *
     * @param bytes from position to limit, all of which are taken; not kept
     * @throws OutOfStepException if it is none of messages; then this must not be used any more
     */
    public void decode(ByteBuffer bytes) throws OutOfStepException {
        while (bytes.hasRemaining()) {
            if (skipped > 0) {
                int count = Math.min(skipped, bytes.remaining());
                bytes.position(bytes.position() + count);
                skipped -= count;
            } else if (partial != null) {
                takePayload(bytes);
            } else {
                takeHeader(bytes);
            }
        }
    }

    private void takeHeader(ByteBuffer bytes) throws OutOfStepException {
        move(bytes, header);
        if (header.hasRemaining()) {
            return;
        }
        int length = checkedLength();
        if (type == null) {
            skipped = length;
            unknown.run();
        } else {
            partial = ByteBuffer.allocate(Message.HEADER + length).put(header.flip());
            finishIfComplete();
        }
        header.clear();
    }

    private int checkedLength() throws OutOfStepException {
        int length = Integer.reverseBytes(header.getInt(Message.LENGTH_AT));
        int code = header.get(Message.TYPE_AT) & 0xFF;
        if (length < 0 || length > MessageType.MAX_PAYLOAD) {
            throw new OutOfStepException("a message of " + Integer.toUnsignedString(length) + " bytes", true);
        }
        type = MessageType.of(code);
        if (type != null && !type.allows(length)) {
            throw new OutOfStepException("a " + type + " of " + length + " bytes", false);
        }
        return length;
    }

    private void takePayload(ByteBuffer bytes) {
        move(bytes, partial);
        finishIfComplete();
    }

    private void finishIfComplete() {
        if (!partial.hasRemaining()) {
            Message message = new Message(type, partial);
            partial = null;
            complete.accept(message);
        }
    }

    private static void move(ByteBuffer from, ByteBuffer to) {
        int count = Math.min(from.remaining(), to.remaining());
        int start = to.position();
        to.put(start, from, from.position(), count).position(start + count);
        from.position(from.position() + count);
    }
}
