package dev.sluice.campaign.faults;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.IoUringConstants;
import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.campaign.ObservedRing;
import dev.sluice.campaign.ObservedRings;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The requests to io_uring as calls that may go wrong. A request that is to fail without having done anything is
 * replaced by one that does nothing, and gets its result when that has completed; one that is to move less is cut; one
 * that is to end early is made to ask for one completion only. So what the kernel does is what it says.
 */
final class RingRequests {

    private static final long WAKE_UP = -1;
    private static final long NO_OPERATION = -2;
    private static final Map<Integer, String> NAMES = names();

    private final Memory memory;
    private final Function<String, InjectedError> next;
    private final ObservedRings<Queues> rings;

    /**
     * Creates an instance for a binding.
     *
     * @param memory of the binding
     * @param next   counts a request and returns its injected, or null
     */
    RingRequests(Memory memory, Function<String, InjectedError> next) {
        this.memory = memory;
        this.next = next;
        this.rings = new ObservedRings<>(memory, Queues::new);
    }

    private static Map<Integer, String> names() {
        Map<Integer, String> names = new HashMap<>();
        try {
            for (Field field : IoUringConstants.class.getFields()) {
                if (field.getName().startsWith("IORING_OP_")) {
                    names.put(field.getInt(null), field.getName());
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return names;
    }

    /** Looks at what a call is about to submit. */
    void before(String function, Object[] arguments) {
        rings.before(function, arguments);
    }

    /** Looks at what a call has brought. */
    void after(String function, Object[] arguments, Object result) {
        rings.after(function, arguments, result);
    }

    /** The two queues of an instance. */
    private final class Queues extends ObservedRing {

        /** The results of the requests that have been replaced, by user data. */
        private final Map<Long, Integer> results = new HashMap<>();

        Queues(ByteBuffer parameters) {
            super(parameters);
        }

        @Override
        protected void entering() {
            takeSubmissions(this::request);
        }

        private void request(int at) {
            ByteBuffer sqes = submissions();
            int opcode = sqes.get(at + IoUringSqe.OPCODE);
            long userData = sqes.getLong(at + IoUringSqe.USER_DATA);
            if (userData == NO_OPERATION) {
                return;
            }
            InjectedError injected = next.apply(name(sqes, at));
            if (injected == null) {
                return;
            }
            switch (injected.kind()) {
                case FAILS -> replace(at, userData, (int) injected.result());
                case FAILS_AFTERWARDS -> results.put(userData, (int) injected.result());
                case SPURIOUS -> replace(at, userData,
                        sqes.getInt(at + IoUringSqe.OP_FLAGS) & (PollConstants.POLLIN | PollConstants.POLLOUT));
                case SHORT -> sqes.putInt(at + IoUringSqe.LEN, 1);
                case ONCE -> sqes.putShort(at + IoUringSqe.IOPRIO, (short) 0);
                default -> throw new IllegalStateException(injected + " of " + NAMES.get(opcode));
            }
        }

        private String name(ByteBuffer sqes, int at) {
            int opcode = sqes.get(at + IoUringSqe.OPCODE);
            int flags = sqes.getShort(at + IoUringSqe.IOPRIO);
            boolean multishot = switch (opcode) {
                case IoUringConstants.IORING_OP_RECV -> (flags & IoUringConstants.IORING_RECV_MULTISHOT) != 0;
                case IoUringConstants.IORING_OP_ACCEPT -> (flags & IoUringConstants.IORING_ACCEPT_MULTISHOT) != 0;
                default -> false;
            };
            boolean ofStream = opcode == IoUringConstants.IORING_OP_SENDMSG
                    && !hasName(sqes.getLong(at + IoUringSqe.ADDR));
            return NAMES.get(opcode) + (sqes.getLong(at + IoUringSqe.USER_DATA) == WAKE_UP ? " wake-up"
                    : multishot ? " multishot" : ofStream ? " of a stream" : "");
        }

        private boolean hasName(long message) {
            try (MemoryBlock header = memory.wrap(message, Msghdr.SIZE, () -> { })) {
                return header.buffer().getLong(Msghdr.NAME) != 0;
            }
        }

        private void replace(int at, long userData, int result) {
            submissions().put(at, new byte[IoUringSqe.SIZE])
                    .put(at + IoUringSqe.OPCODE, (byte) IoUringConstants.IORING_OP_NOP)
                    .putInt(at + IoUringSqe.FD, -1).putLong(at + IoUringSqe.USER_DATA, userData);
            results.put(userData, result);
        }

        @Override
        protected void entered() {
            takeCompletions(at -> {
                Integer result = results.remove(completions().getLong(at + IoUringCqe.USER_DATA));
                if (result != null) {
                    completions().putInt(at + IoUringCqe.RES, result);
                }
            });
            int tail = completionTail();
            if (tail - completionHead() >= 2) {
                swap(completionAt(tail - 2), completionAt(tail - 1));
            }
        }

        private void swap(int one, int other) {
            ByteBuffer ring = completions();
            boolean independent = ring.getLong(one + IoUringCqe.USER_DATA)
                    != ring.getLong(other + IoUringCqe.USER_DATA);
            if (independent && next.apply("completions") != null) {
                for (int i = 0; i < IoUringCqe.SIZE; i += Long.BYTES) {
                    long word = ring.getLong(one + i);
                    ring.putLong(one + i, ring.getLong(other + i));
                    ring.putLong(other + i, word);
                }
            }
        }
    }
}
