package dev.sluice.calls;

import java.nio.ByteBuffer;

/** The checks of {@link Memory#address}, for a binding that would return the address of any buffer. */
public final class BufferAccess {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private BufferAccess() {
    }

    /**
     * Checks that a call may use a buffer.
     *
     * @param direct a direct buffer
     * @throws IllegalArgumentException if the buffer is not direct
     * @throws IllegalStateException    if the buffer's memory has been freed already, or is confined to another thread
     */
    public static void require(ByteBuffer direct) {
        if (!direct.isDirect()) {
            throw new IllegalArgumentException("not a direct buffer: " + direct);
        }
        try {
            // Copies nothing. Reading a byte would suffice if a mapped file could not lose its pages.
            NOTHING.put(0, direct, 0, 0);
        } catch (RuntimeException e) {
            // From Java 19 on it is not an IllegalStateException if the thread is the wrong one.
            throw new IllegalStateException("the buffer's memory has been freed, or is confined to another thread's"
                    + " arena: " + direct, e);
        }
    }
}
