package dev.sluice.samples.io;

import dev.sluice.calls.Bindings;
import java.nio.ByteBuffer;

/** Memory for a quantum of a conversation, empty in between, so that connections need no memory of their own. */
final class IterationScratch {

    private static final int BUFFER_SIZE = 16 * 1024;

    private final ConversationSender sender = new ConversationSender();
    private final ByteBuffer buffer = Bindings.current().memory().allocateBuffer(BUFFER_SIZE);
    private final ByteBuffer heldBack = Bindings.current().memory().allocateBuffer(Cork.MAX_BYTES);

    /** {@return what everything is received into} */
    ByteBuffer buffer() {
        return buffer;
    }

    /** {@return where messages are held back} */
    ByteBuffer heldBack() {
        return heldBack;
    }

    ConversationSender sender() {
        return sender;
    }
}
