package dev.sluice.samples.io;

import java.nio.ByteBuffer;

/** What a turn of a conversation needs and leaves empty, so that it is not each connection that has one. */
final class Desk {

    private static final int BUFFER_SIZE = 16 * 1024;

    private final ConversationSender sender = new ConversationSender();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);

    /** {@return what everything is received into} */
    ByteBuffer buffer() {
        return buffer;
    }

    ConversationSender sender() {
        return sender;
    }
}
