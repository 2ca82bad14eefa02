package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SEND_ZC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_SOCKET;
import static dev.sluice.calls.layout.IoUringConstants.IORING_REGISTER_PBUF_RING;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_COOP_TASKRUN;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_DEFER_TASKRUN;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_R_DISABLED;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_SINGLE_ISSUER;
import static dev.sluice.calls.layout.IoUringConstants.IORING_SETUP_SUBMIT_ALL;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A kernel whose io_uring knows less than that of the running one, which {@link LesserCalls} make of it. What came with
 * which release stands in io_uring_setup(2), io_uring_enter(2) and io_uring_register(2).
 *
 * @param name          what it is, or lacks
 * @param setUpFlags    the flags that io_uring_setup takes
 * @param features      the features that it may report
 * @param operations    those that it has, as far as the running kernel has them
 * @param probed        those that it says that it has
 * @param registrations the commands that io_uring_register takes
 * @param habits        how it does what it does
 */
record LesserKernel(String name, int setUpFlags, int features, BitSet operations, BitSet probed, BitSet registrations,
                    Set<Habit> habits) {

    /** What cannot be seen in a flag or a number. */
    enum Habit {
        /** One request accepts many connections, since 5.19. */
        MULTISHOT_ACCEPT,
        /** One request receives many times, since 6.0. */
        MULTISHOT_RECEIVE,
        /** With MSG_WAITALL a short send is gone on with, since 5.19. */
        WHOLE_SENDS,
        /** A request waits until its socket is ready even where that is non-blocking, an accept since 5.17. */
        WAITS_FOR_NON_BLOCKING,
        /** It has the memory that a receive takes on its way. */
        RECEIVES
    }

    private static final int EVERY_BIT = -1;
    private static final int EVERY_NUMBER = 256;

    private static final LesserKernel RUNNING = new LesserKernel("the running one", EVERY_BIT, EVERY_BIT,
            below(EVERY_NUMBER), below(EVERY_NUMBER), below(EVERY_NUMBER), EnumSet.allOf(Habit.class));

    /** The first release with a probe; it has no wait with a timeout. */
    static final LesserKernel LINUX_5_6 = release("Linux 5.6", 1 << 6, 1 << 5, 30, 11);

    /** The first with all that is needed. */
    static final LesserKernel LINUX_5_11 = release("Linux 5.11", 1 << 7, 1 << 9, 37, 13, Habit.RECEIVES);

    /** Works without interrupting, accepts many, but receives one by one. */
    static final LesserKernel LINUX_5_19 = release("Linux 5.19", 1 << 12, 1 << 12, 47, 24, Habit.MULTISHOT_ACCEPT,
            Habit.WHOLE_SENDS, Habit.WAITS_FOR_NON_BLOCKING, Habit.RECEIVES);

    /** Receives many times and sends without a copy, but knows no deferred work. */
    static final LesserKernel LINUX_6_0 = release("Linux 6.0", 1 << 13, 1 << 13, 48, 26, Habit.values());

    /** The first whose ring belongs to one thread. */
    static final LesserKernel LINUX_6_1 = release("Linux 6.1", 1 << 14, 1 << 14, 49, 26, Habit.values());

    private static LesserKernel release(String name, int setUpFlagsEnd, int featuresEnd, int operationsEnd,
            int registrationsEnd, Habit... habits) {
        Set<Habit> those = EnumSet.noneOf(Habit.class);
        those.addAll(List.of(habits));
        return new LesserKernel(name, setUpFlagsEnd - 1, featuresEnd - 1, below(operationsEnd), below(operationsEnd),
                below(registrationsEnd), those);
    }

    private static BitSet below(int end) {
        BitSet numbers = new BitSet();
        numbers.set(0, end);
        return numbers;
    }

    /** {@return those of the past that are usable and differ} */
    static List<LesserKernel> ofThePast() {
        return List.of(LINUX_5_11, LINUX_5_19, LINUX_6_0);
    }

    /** {@return those that lack one thing that can be done without} */
    static List<LesserKernel> lackingOneThing() {
        return List.of(
                LINUX_6_1,
                RUNNING.withoutSetUp("DEFER_TASKRUN", IORING_SETUP_DEFER_TASKRUN),
                RUNNING.withoutSetUp("SINGLE_ISSUER", IORING_SETUP_SINGLE_ISSUER),
                RUNNING.withoutSetUp("COOP_TASKRUN", IORING_SETUP_COOP_TASKRUN | IORING_SETUP_DEFER_TASKRUN),
                RUNNING.withoutSetUp("SUBMIT_ALL", IORING_SETUP_SUBMIT_ALL),
                RUNNING.withoutSetUp("R_DISABLED", IORING_SETUP_R_DISABLED),
                RUNNING.withoutRegistration("PBUF_RING", IORING_REGISTER_PBUF_RING),
                RUNNING.withoutOperation("SOCKET", IORING_OP_SOCKET).without(Habit.MULTISHOT_ACCEPT),
                RUNNING.withoutOperation("SEND_ZC", IORING_OP_SEND_ZC).without(Habit.MULTISHOT_RECEIVE),
                RUNNING.without(Habit.WHOLE_SENDS),
                RUNNING.without(Habit.WAITS_FOR_NON_BLOCKING));
    }

    /** {@return one that reports zero-copy sends and rejects them, as protocols without them do} */
    static LesserKernel withoutPromisedZeroCopy() {
        BitSet operations = without(RUNNING.operations, IORING_OP_SEND_ZC);
        return new LesserKernel("zero-copy send refused", EVERY_BIT, EVERY_BIT, operations, RUNNING.probed,
                RUNNING.registrations, RUNNING.habits);
    }

    /** {@return the oldest that is usable, in such need of memory that no receive succeeds} */
    static LesserKernel withoutMemory() {
        return LINUX_5_11.without(Habit.RECEIVES);
    }

    /** {@return one that lacks a feature} */
    static LesserKernel withoutFeature(String name, int feature) {
        return new LesserKernel(lacking(name), EVERY_BIT, ~feature, RUNNING.operations, RUNNING.probed,
                RUNNING.registrations, RUNNING.habits);
    }

    /** {@return one that lacks an operation, and says so} */
    static LesserKernel withoutOperation(int operation) {
        return RUNNING.withoutOperation("operation " + operation, operation);
    }

    LesserKernel withoutSetUp(String name, int flags) {
        return new LesserKernel(lacking(name), setUpFlags & ~flags, features, operations, probed, registrations,
                habits);
    }

    LesserKernel withoutRegistration(String name, int command) {
        return new LesserKernel(lacking(name), setUpFlags, features, operations, probed,
                without(registrations, command), habits);
    }

    private LesserKernel withoutOperation(String name, int operation) {
        BitSet left = without(operations, operation);
        return new LesserKernel(lacking(name), setUpFlags, features, left, left, registrations, habits);
    }

    private LesserKernel without(Habit habit) {
        Set<Habit> left = EnumSet.copyOf(habits);
        left.remove(habit);
        return new LesserKernel(lacking(habit.name()), setUpFlags, features, operations, probed, registrations, left);
    }

    private static String lacking(String name) {
        return "without " + name;
    }

    private static BitSet without(BitSet numbers, int number) {
        BitSet left = (BitSet) numbers.clone();
        left.clear(number);
        return left;
    }

    boolean has(Habit habit) {
        return habits.contains(habit);
    }

    /** Makes the process call this kernel until the result is closed. */
    Running run() {
        Binding real = Bindings.current();
        Bindings.use(new LesserCalls(this, real).binding());
        return () -> Bindings.use(real);
    }

    /** Until when the process calls another kernel. */
    @FunctionalInterface
    interface Running extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    public String toString() {
        return name;
    }
}
