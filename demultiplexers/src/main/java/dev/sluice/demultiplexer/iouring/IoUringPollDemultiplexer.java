package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_ADD;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_POLL_REMOVE;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.calls.layout.Pollfd;
import dev.sluice.demultiplexer.handleset.PollBits;
import dev.sluice.demultiplexer.handleset.ProcessSetDemultiplexer;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readiness by io_uring: a poll request for each handle. The call that waits submits all changes.
 *
 * <p>A request fires once and is submitted again by the next wait, in the same call. A multishot request would not need
 * that, but it is edge-triggered: it fires when something arrives, not while something is available, and handlers may
 * rely on level triggering.
 *
 * <p>The ring is not bound to one thread, because the threads of a pool wait here one after the other. The kernel
 * cancels the requests of a thread that terminates; the next wait submits them again.
 */
public final class IoUringPollDemultiplexer extends ProcessSetDemultiplexer {

    /** The name by which it is chosen. */
    public static final String NAME = "io_uring-poll";

    private static final Logger LOG = LoggerFactory.getLogger(IoUringPollDemultiplexer.class);
    private static final int ENTRIES = 256;
    // Other set-up flags require that the thread that submits a request also takes its completion.
    private static final int PLAIN = 0;
    // A request for POLLPRI alone never completes for urgent data that arrive later (seen on Linux 6.18).
    private static final int URGENT = PollConstants.POLLPRI | PollConstants.POLLRDBAND;
    private static final long WAKE_UP = -1;
    private static final long NO_OPERATION = -2;

    /**
     * A place for a member. The user data of requests consist of its number and its generation, which changes when a
     * request is cancelled.
     */
    private static final class Place {

        final int number;
        int generation;
        /** Null while the place is free. */
        @Nullable Slot slot;
        /** The events of the current request; 0 if there is none. */
        int armed;
        /** The events that have been found and not been reported yet. */
        int found;
        /** The user data of the request to cancel, while the place is in the queue for that. */
        long toCancel;
        @Nullable Place nextFree;

        Place(int number) {
            this.number = number;
        }

        long userData() {
            return (long) generation << Integer.SIZE | number;
        }
    }

    private final Posix posix = Bindings.current().posix();
    private final MemoryBlock pollfd;
    private final Ring ring;
    private final List<Place> places;
    /** The first free place; linked, because the end of a registration must not need memory. */
    private @Nullable Place free;
    /** Places that may need a request. */
    private final PlaceQueue toArm;
    /** Places that have been found ready; those without found events have been reported or changed since. */
    private final PlaceQueue found;
    /**
     * Places with a request to cancel for which the submission queue had no space. No request is submitted before all
     * of these are cancelled, so a place has one at most.
     */
    private final PlaceQueue toRemove;
    private boolean staleCompletionLogged;
    private boolean wakeUpArmed;
    private boolean wokenUp;
    /** The error of a request that was refused for lack of memory, for the next wait to throw; or 0. */
    private int refusal;

    /**
     * Opens a demultiplexer with an empty set.
     *
     * @throws IOException if the kernel or a policy refuses io_uring
     */
    public IoUringPollDemultiplexer() throws IOException {
        super(NAME);
        try {
            places = new ArrayList<>();
            toArm = new PlaceQueue();
            found = new PlaceQueue();
            toRemove = new PlaceQueue();
            pollfd = Bindings.current().memory().allocate(Pollfd.SIZE);
            ring = RingOpening.open(Bindings.current(), this::isInUse, ENTRIES, 2 * ENTRIES, PLAIN);
            Features.probe(ring, IORING_OP_POLL_ADD, IORING_OP_POLL_REMOVE);
        } catch (Throwable e) {
            discard();
            throw e;
        }
    }

    @Override
    protected void apply(Slot slot) {
        if (!slot.isValid()) {
            if (slot.place >= 0) {
                leave(places.get(slot.place));
                slot.place = -1;
            }
            return;
        }
        if (slot.place < 0) {
            Place place = free;
            if (place == null) {
                place = addPlace();
            } else {
                free = place.nextFree;
            }
            place.slot = slot;
            slot.place = place.number;
        }
        Place place = places.get(slot.place);
        if (place.armed != slot.activeEvents()) {
            disarm(place);
            toArm.add(place.number);
        }
    }

    private Place addPlace() {
        Place added = new Place(places.size());
        toArm.ensureCapacity(added.number + 1);
        found.ensureCapacity(added.number + 1);
        toRemove.ensureCapacity(added.number + 1);
        places.add(added);
        return added;
    }

    private void leave(Place place) {
        disarm(place);
        place.slot = null;
        place.generation++;
        place.found = 0;
        place.nextFree = free;
        free = place;
    }

    // Whatever the request completes with, its completion has the old generation and is ignored.
    private void disarm(Place place) {
        if (place.armed != 0) {
            if (toRemove.isEmpty() && makeSpace()) {
                remove(place.userData());
            } else {
                place.toCancel = place.userData();
                toRemove.add(place.number);
            }
            place.armed = 0;
            place.found = 0;
            place.generation++;
        }
    }

    private void remove(long userData) {
        ring.set(IORING_OP_POLL_REMOVE, -1, 0, userData, 0, 0, NO_OPERATION);
        ring.add();
    }

    /** {@return whether the submission queue has space, after submitting its entries if it was full} */
    private boolean makeSpace() {
        if (!ring.hasSpace()) {
            ring.enter(0, 0);
            take();
        }
        return ring.hasSpace();
    }

    private void armAll() {
        for (int left = toArm.size(); left > 0 && toRemove.isEmpty() && makeSpace(); left--) {
            Place place = places.get(toArm.remove());
            Slot slot = place.slot;
            int events = slot == null ? 0 : slot.activeEvents();
            if (slot != null && events != 0 && place.armed == 0) {
                poll((int) slot.descriptor(), toPoll(events), place.userData());
                place.armed = events;
            }
        }
        if (!wakeUpArmed && makeSpace()) {
            poll((int) wakeUpDescriptor(), PollConstants.POLLIN, WAKE_UP);
            wakeUpArmed = true;
        }
    }

    private void poll(int fd, int events, long userData) {
        ring.setPoll(fd, events, userData);
        ring.add();
    }

    // Outside a wait nothing else would submit cancellations. A request keeps its file open, so the peer of a closed
    // connection would not be notified of the close.
    @Override
    protected void changesApplied() {
        if (ring != null && ring.pendingSubmissions() > 0) {
            ring.enter(0, 0);
            take();
        }
    }

    @Override
    protected int call(long timeoutNanos) {
        while (!toRemove.isEmpty() && makeSpace()) {
            remove(places.get(toRemove.remove()).toCancel);
        }
        armAll();
        boolean all = toRemove.isEmpty() && toArm.isEmpty() && wakeUpArmed;
        boolean noWait = !found.isEmpty() || wokenUp || timeoutNanos == 0 || !all;
        int entered = ring.enter(noWait ? 0 : 1, noWait ? 0 : timeoutNanos);
        int result = ring.afterRefusal(entered, take());
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
            long data = ring.userData();
            int result = ring.result();
            ring.completionSeen();
            if (data == WAKE_UP) {
                wakeUpArmed = false;
                wokenUp |= result >= 0;
                noteRefusal(result);
            } else if (data != NO_OPERATION) {
                handleCompletion((int) data, (int) (data >>> Integer.SIZE), result);
            }
        }
        return some;
    }

    private void handleCompletion(int number, int generation, int result) {
        Place place = number < 0 || number >= places.size() ? null : places.get(number);
        if (place == null || place.generation == generation && place.armed == 0) {
            ignoreStaleCompletion(number, generation, result);
            return;
        }
        if (place.generation != generation) {
            // The completion of a request that has been cancelled.
            return;
        }
        place.armed = 0;
        Slot slot = place.slot;
        assert slot != null;
        if (Errno.ECANCELED.is(result) || noteRefusal(result)) {
            // The thread that submitted the request has terminated, or the kernel had no memory for it.
            toArm.add(number);
            return;
        }
        if (Errno.EINVAL.is(result) && slot.activeEvents() == EventType.EXCEPTION) {
            // A regular file never has urgent data.
            return;
        }
        // After an error, the next call on the handle reports why the request was rejected.
        int revents = result < 0 ? PollConstants.POLLERR : result;
        int events = PollBits.UNIX.events((revents & URGENT) == 0 ? revents : pollNow(slot));
        if (events == 0) {
            toArm.add(number);
        } else {
            place.found = events;
            found.add(number);
        }
    }

    /** Ignores a completion that matches no request, and logs the first one. */
    private void ignoreStaleCompletion(int place, int generation, int result) {
        if (!staleCompletionLogged) {
            staleCompletionLogged = true;
            LOG.warn("{}: ignoring a completion that matches no request; further ones are not logged: place {},"
                    + " generation {}, result {}", NAME, place, generation, result);
        }
    }

    /**
     * {@return whether a request was refused for lack of memory, which the next wait throws instead of repeating the
     * request immediately}
     */
    private boolean noteRefusal(int result) {
        boolean refused = Errno.ENOMEM.is(result);
        if (refused) {
            refusal = result;
        }
        return refused;
    }

    // Checks the real state, because any data that arrive complete a request for urgent data.
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
            Place place = places.get(found.remove());
            Slot slot = place.slot;
            if (slot != null && place.found != 0) {
                toArm.add(place.number);
                report(ready, slot, place.found);
                place.found = 0;
            }
        }
    }

    private static int toPoll(int events) {
        return PollBits.UNIX.of(events) | ((events & EventType.EXCEPTION) != 0 ? URGENT : 0);
    }

    @Override
    protected void dispose() {
        // Both may be closed more than once.
        if (pollfd != null) {
            pollfd.close();
        }
        if (ring != null) {
            ring.close();
        }
    }
}
