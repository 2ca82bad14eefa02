package dev.sluice.failure;

/**
 * Stack for what must not be done by half. A hook may recurse until its stack is full, and call the library on its way:
 * then any call of a method may throw {@link StackOverflowError}, between any two steps. A caller that has
 * asked for a reserve gets that error, which each of these methods throws, before the first step instead.
 */
public final class StackReserve {

    private StackReserve() {
    }

    /**
     * Checks, when something is entered, that there is stack for leaving it: for a call of the same method that changes
     * a counter. Costs little.
     */
    public static void requireForLeave() {
        descend(4, 1, 2, 3, 4, 5);
    }

    /** Checks that there is stack for a change of a table or a queue, on any binding, and some more. */
    public static void require() {
        descend(16, 1, 2, 3, 4, 5);
    }

    /** Checks that there is stack for a change of a table or a queue with a system call in it. */
    public static void requireForCall() {
        descend(48, 1, 2, 3, 4, 5);
    }

    /** Checks that there is stack for a wait, with all that it brings, as far as it is done before hooks are called. */
    public static void requireForWait() {
        descend(96, 1, 2, 3, 4, 5);
    }

    /**
     * Checks, before the system opens a descriptor, that there is stack to make the descriptor's owner, which closes it
     * if something fails. Without an owner the descriptor would never be closed.
     */
    public static void requireForOpening() {
        descend(192, 1, 2, 3, 4, 5);
    }

    /** Checks, before anything is closed, that there is stack for the close of a demultiplexer. */
    public static void requireForClose() {
        descend(256, 1, 2, 3, 4, 5);
    }

    /**
     * Checks, before anything is ended, that there is stack for the end of an event loop, which closes what is
     * registered and its demultiplexer.
     */
    public static void requireForEnd() {
        descend(512, 1, 2, 3, 4, 5);
    }

    /**
     * Goes so many calls deep. It needs what it is given after the call, so that each frame has room for it, also when
     * it is compiled.
     */
    private static long descend(int left, long a, long b, long c, long d, long e) {
        return left == 0 ? a : descend(left - 1, b, c, d, e, a) + (a ^ b << 1 ^ c << 2 ^ d << 3 ^ e << 4);
    }
}
