package dev.sluice.calls;

import java.nio.ByteBuffer;

/** The checks of {@link Memory#address}, for a binding that could return the address of any buffer. */
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
            // Copies no bytes. Reading a byte would be sufficient, but could fail for a mapped file that has been
            // truncated.
            NOTHING.put(0, direct, 0, 0);
        } catch (RuntimeException e) {
            // From Java 19 on, access by the wrong thread throws a WrongThreadException, which is not an
            // IllegalStateException.
            throw new IllegalStateException("the buffer's memory has been freed, or is confined to another thread's"
                    + " arena: " + direct, e);
        }
    }
}
