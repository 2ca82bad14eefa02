package dev.sluice.samples.echo;

/**
 * How many provided buffers the connections of one proactor keep. There is an end to these, so many peers that do not
 * read must not have them all: beyond the limit bytes are copied. For the loop thread.
 */
final class KeptBuffers {

    private static final int MOST = 128;

    private int count;

    /** {@return whether one more may be kept, which it is then taken for} */
    boolean keep() {
        if (count == MOST) {
            return false;
        }
        count++;
        return true;
    }

    /** One has been released. */
    void released() {
        count--;
    }
}
