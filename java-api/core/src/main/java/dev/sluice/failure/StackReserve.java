package dev.sluice.failure;

/**
 * Stack for what must not be done by half. A hook may recurse until its stack is full, and call the library on its way:
 * then any call of a method may throw {@link StackOverflowError}, between any two steps. A caller that has
 * asked for a reserve gets that error before the first step instead.
 */
public final class StackReserve {

    /** How many calls deeper leaving something may be than entering it. */
    private static final int FRAMES_OF_A_LEAVE = 4;
    /** How many calls deep a change of a table or a queue is, on any binding, and some more. */
    private static final int FRAMES = 16;
    /** The same for a change that makes a system call, on any binding. */
    private static final int FRAMES_OF_A_CALL = 48;
    /** The same for a wait, with all that it brings, as far as it is done before hooks are called. */
    private static final int FRAMES_OF_A_WAIT = 96;

    /** The same for opening a descriptor that gets an owner, which closes it if something fails. */
    private static final int FRAMES_OF_AN_OPENING = 192;
    /** The same for the close of a demultiplexer. */
    private static final int FRAMES_OF_A_CLOSE = 256;
    /** The same for the end of a loop, which closes what is registered and its demultiplexer. */
    private static final int FRAMES_OF_AN_END = 512;

    private StackReserve() {
    }

    /**
     * Checks, when something is entered, that there is stack for leaving it: for a call of the same method that changes
     * a counter. Costs little.
     *
     * @throws StackOverflowError if not
     */
    public static void requireForLeave() {
        descend(FRAMES_OF_A_LEAVE, 1, 2, 3, 4, 5);
    }

    /**
     * Checks that there is stack for a change of a table or a queue.
     *
     * @throws StackOverflowError if not
     */
    public static void require() {
        descend(FRAMES, 1, 2, 3, 4, 5);
    }

    /**
     * Checks that there is stack for a change of a table or a queue with a system call in it.
     *
     * @throws StackOverflowError if not
     */
    public static void requireForCall() {
        descend(FRAMES_OF_A_CALL, 1, 2, 3, 4, 5);
    }

    /**
     * Checks that there is stack for a wait.
     *
     * @throws StackOverflowError if not
     */
    public static void requireForWait() {
        descend(FRAMES_OF_A_WAIT, 1, 2, 3, 4, 5);
    }

    /**
     * Checks, before the system opens a descriptor, that there is stack for its owner, which nobody would close the
     * descriptor without.
     *
     * @throws StackOverflowError if not; nothing has been opened then
     */
    public static void requireForOpening() {
        descend(FRAMES_OF_AN_OPENING, 1, 2, 3, 4, 5);
    }

    /**
     * Checks that there is stack for the close of a demultiplexer.
     *
     * @throws StackOverflowError if not; nothing has been closed then
     */
    public static void requireForClose() {
        descend(FRAMES_OF_A_CLOSE, 1, 2, 3, 4, 5);
    }

    /**
     * Checks that there is stack for the end of an event loop, with all closes in it.
     *
     * @throws StackOverflowError if not; nothing has been ended then
     */
    public static void requireForEnd() {
        descend(FRAMES_OF_AN_END, 1, 2, 3, 4, 5);
    }

    /** Needs what it is given after the call, so that each frame has room for it, also when it is compiled. */
    private static long descend(int left, long a, long b, long c, long d, long e) {
        return left == 0 ? a : descend(left - 1, b, c, d, e, a) + (a ^ b << 1 ^ c << 2 ^ d << 3 ^ e << 4);
    }
}
