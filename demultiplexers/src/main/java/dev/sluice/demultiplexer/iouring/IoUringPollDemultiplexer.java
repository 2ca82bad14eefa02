package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_ADD;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_REMOVE;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.calls.layout.Pollfd;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.handleset.PollEvents;
import dev.sluice.demultiplexer.handleset.ProcessSetDemultiplexer;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readiness through io_uring: a poll request for each handle, all changes submitted by the call that waits.
 *
 * <p>A request fires once and is made anew in the next wait, in the same call. A multishot request would save that, but
 * it fires when something arrives, not while something is there: it is edge-triggered, and handlers may rely on level
 * triggering.
 *
 * <p>The ring is not bound to one thread, since the threads of a pool take turns waiting here. The kernel cancels the
 * requests of a thread that ends; the next wait makes them anew.
 */
public final class IoUringPollDemultiplexer extends ProcessSetDemultiplexer {

    /** The name by which it is chosen. */
    public static final String NAME = "io_uring-poll";

    private static final Logger LOG = LoggerFactory.getLogger(IoUringPollDemultiplexer.class);
    private static final int ENTRIES = 256;
    // The other set-up flags expect completions to be fetched by the thread that submitted.
    private static final int PLAIN = 0;
    // POLLPRI alone is never reported to io_uring for urgent data that arrive after the request (seen on Linux 6.18).
    private static final int URGENT = PollConstants.POLLPRI | PollConstants.POLLRDBAND;
    private static final long WAKE_UP = -1;
    private static final long NOBODY = -2;

    private record Request(int opcode, int fd, long address, int operationFlags, long userData) {
    }

    private final Posix posix = Bindings.current().posix();
    private final MemoryBlock pollfd;
    private final Ring ring;
    private Slot[] slots = new Slot[64];
    private int[] armed = new int[64];
    private int[] generations = new int[64];
    private final Deque<Integer> free = new ArrayDeque<>();
    private int used;
    /** Places that have no request in the kernel although they want one. */
    private final PlaceQueue toArm = new PlaceQueue();
    /** What has been found ready but not reported yet. */
    private final PlaceQueue found = new PlaceQueue();
    /** Requests that the submission queue has no room for, because the kernel does not empty it. */
    private final Deque<Request> unsubmitted = new ArrayDeque<>();
    private final Refusals refusals = new Refusals();
    private boolean strayTold;
    private boolean wakeUpArmed;
    private boolean wokenUp;
    /** Why a request could not be made, to be thrown by the next wait; or 0. */
    private int refusal;

    /**
     * Opens it with an empty set.
     *
     * @throws IOException if the kernel or a policy refuses io_uring
     */
    public IoUringPollDemultiplexer() throws IOException {
        super(NAME);
        try {
            pollfd = Bindings.current().memory().allocate(Pollfd.SIZE);
            ring = Ring.open(Bindings.current(), this::isInUse, ENTRIES, 2 * ENTRIES, PLAIN);
            Features.require(ring, IORING_OP_POLL_ADD, IORING_OP_POLL_REMOVE);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    @Override
    protected void apply(Slot slot) {
        if (!slot.isValid()) {
            if (slot.place >= 0) {
                disarm(slot.place);
                slots[slot.place] = null;
                generations[slot.place]++;
                free.push(slot.place);
                slot.place = -1;
            }
            return;
        }
        if (slot.place < 0) {
            slot.place = free.isEmpty() ? used++ : free.pop();
            if (slot.place == slots.length) {
                grow();
            }
            slots[slot.place] = slot;
        }
        if (armed[slot.place] != slot.activeEvents()) {
            disarm(slot.place);
            toArm.add(slot.place, generations[slot.place], 0);
        }
    }

    private void grow() {
        slots = Arrays.copyOf(slots, slots.length * 2);
        armed = Arrays.copyOf(armed, slots.length);
        generations = Arrays.copyOf(generations, slots.length);
    }

    // The request's completion, whatever it turns out to be, carries the generation that ends here.
    private void disarm(int place) {
        if (armed[place] != 0) {
            submit(IORING_OP_POLL_REMOVE, -1, userData(place), 0, NOBODY);
            armed[place] = 0;
            generations[place]++;
        }
    }

    private void armAll() {
        for (int left = toArm.size(); left > 0; left--) {
            int place = toArm.place();
            Slot slot = toArm.generation() == generations[place] ? slots[place] : null;
            toArm.remove();
            int events = slot == null ? 0 : slot.activeEvents();
            if (events != 0 && armed[place] == 0) {
                poll((int) slot.descriptor(), toPoll(events), userData(place));
                armed[place] = events;
            }
        }
        if (!wakeUpArmed) {
            poll((int) wakeUpDescriptor(), PollConstants.POLLIN, WAKE_UP);
            wakeUpArmed = true;
        }
    }

    private long userData(int place) {
        return (long) generations[place] << Integer.SIZE | place;
    }

    private void poll(int fd, int events, long userData) {
        submit(IORING_OP_POLL_ADD, fd, 0, IoUringSqe.pollFlags(events, ring.submissions().order()), userData);
    }

    private void submit(int opcode, int fd, long address, int operationFlags, long userData) {
        if (!ring.hasRoom()) {
            ring.enter(0, 0);
            take();
            submitRest();
        }
        if (ring.hasRoom() && unsubmitted.isEmpty()) {
            set(opcode, fd, address, operationFlags, userData);
        } else {
            unsubmitted.add(new Request(opcode, fd, address, operationFlags, userData));
        }
    }

    private void set(int opcode, int fd, long address, int operationFlags, long userData) {
        IoUringSqe.set(ring.submissions(), ring.nextSubmission(), opcode, fd, 0, address, 0, operationFlags, userData);
    }

    /** Submits the requests for which there was no room before. */
    private void submitRest() {
        while (!unsubmitted.isEmpty() && ring.hasRoom()) {
            Request request = unsubmitted.poll();
            set(request.opcode, request.fd, request.address, request.operationFlags, request.userData);
        }
    }

    // Outside of a wait nothing else would submit the cancellations, and a request keeps its file open: the peer of a
    // closed connection would not be told of the close.
    @Override
    protected void changesApplied() {
        if (ring != null && ring.pendingSubmissions() > 0) {
            ring.enter(0, 0);
            take();
        }
    }

    @Override
    protected int call(long timeoutNanos) {
        submitRest();
        armAll();
        boolean look = !found.isEmpty() || wokenUp || timeoutNanos == 0 || !unsubmitted.isEmpty();
        int entered = ring.enter(look ? 0 : 1, look ? 0 : timeoutNanos);
        int result = refusals.after(entered, take());
        if (result < 0 && !Errno.ETIME.is(result)) {
            return result;
        }
        if (refusal < 0 && found.isEmpty() && !wokenUp) {
            int refused = refusal;
            refusal = 0;
            return refused;
        }
        return found.size() + (wokenUp ? 1 : 0);
    }

    /** {@return whether there were any completions} */
    private boolean take() {
        boolean some = ring.completions() > 0;
        while (ring.completions() > 0) {
            int at = ring.nextCompletion();
            long data = IoUringCqe.userData(ring.completionQueue(), at);
            int result = IoUringCqe.result(ring.completionQueue(), at);
            ring.completionSeen();
            if (data == WAKE_UP) {
                wakeUpArmed = false;
                wokenUp |= result >= 0;
                noteRefusal(result);
            } else if (data != NOBODY) {
                took((int) data, (int) (data >>> Integer.SIZE), result);
            }
        }
        return some;
    }

    private void took(int place, int generation, int result) {
        if (place < 0 || place >= used) {
            stray(place, generation, result);
            return;
        }
        if (generations[place] != generation) {
            // From a request that has been disarmed since.
            return;
        }
        if (armed[place] == 0) {
            stray(place, generation, result);
            return;
        }
        armed[place] = 0;
        if (Errno.ECANCELED.is(result) || noteRefusal(result)) {
            // The thread that submitted it has ended, or there is no memory for it.
            toArm.add(place, generation, 0);
            return;
        }
        if (Errno.EINVAL.is(result) && slots[place].activeEvents() == EventType.EXCEPTION) {
            // A regular file is always ready, but not for that, and there is nothing in it to wait for.
            return;
        }
        // The request could not even be made: the handle's next call will tell why.
        int revents = result < 0 ? PollConstants.POLLERR : result;
        int events = PollEvents.fromPoll((revents & URGENT) == 0 ? revents : pollNow(slots[place]));
        if (events == 0) {
            toArm.add(place, generation, 0);
        } else {
            found.add(place, generation, events);
        }
    }

    /** The handles of the set must not suffer from completions that no kernel should send. */
    private void stray(int place, int generation, int result) {
        if (!strayTold) {
            strayTold = true;
            LOG.warn("{}: ignoring a completion of no request, and any others from now on: place {}, generation {},"
                    + " result {}", NAME, place, generation, result);
        }
    }

    /** {@return whether a request was refused for lack of memory: making it again at once could go on forever} */
    private boolean noteRefusal(int result) {
        boolean refused = Errno.ENOMEM.is(result);
        if (refused) {
            refusal = result;
        }
        return refused;
    }

    // Any arriving data complete a request for urgent data.
    private int pollNow(Slot slot) {
        Pollfd.set(pollfd.buffer(), 0, (int) slot.descriptor(), toPoll(slot.activeEvents()));
        int ready = posix.poll(pollfd.address(), 1, 0);
        return ready > 0 ? Pollfd.revents(pollfd.buffer(), 0) : 0;
    }

    @Override
    protected boolean wokenUp() {
        boolean was = wokenUp;
        wokenUp = false;
        return was;
    }

    @Override
    protected void collect(ReadyBatch ready, int count) {
        while (!found.isEmpty() && !ready.isFull()) {
            int place = found.place();
            if (found.generation() == generations[place]) {
                report(ready, slots[place], found.events());
                toArm.add(place, generations[place], 0);
            }
            found.remove();
        }
    }

    private static int toPoll(int events) {
        return PollEvents.toPoll(events) | ((events & EventType.EXCEPTION) != 0 ? URGENT : 0);
    }

    @Override
    protected void dispose() {
        // Both can be closed again.
        if (pollfd != null) {
            pollfd.close();
        }
        if (ring != null) {
            ring.close();
        }
    }
}
