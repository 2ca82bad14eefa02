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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readiness through io_uring: a poll request for each handle, all changes submitted by the call that waits.
 *
 * <p>A request fires once and is submitted again by the next wait, in the same call. A multishot request would save
 * that, but it fires when something arrives, not while something is there: it is edge-triggered, and handlers may rely
 * on level triggering.
 *
 * <p>The ring is not bound to one thread, since the threads of a pool take turns waiting here. The kernel cancels the
 * requests of a thread that ends; the next wait submits them again.
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

    /** A place for a handle in the user data of requests: its number, and a generation of which only one is in use. */
    private static final class Place {

        final int number;
        int generation;
        /** Null while the place is free. */
        Slot slot;
        /** The events of the request in the kernel; 0 if there is none. */
        int armed;
        /** What has been found ready but not reported yet. */
        int found;
        Place nextFree;

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
    /** Linked, since the end of a registration needs no memory. */
    private Place free;
    /** Places that may have no request in the kernel although they want one. */
    private final Deque<Place> toArm;
    /** Places that have been found ready, unless that has been reported or is outdated. */
    private final Deque<Place> found;
    /** The user data of requests to remove for which the submission queue has had no space. */
    private final Deque<Long> toRemove;
    private boolean staleCompletionLogged;
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
            places = new ArrayList<>();
            toArm = new ArrayDeque<>();
            found = new ArrayDeque<>();
            toRemove = new ArrayDeque<>();
            pollfd = Bindings.current().memory().allocate(Pollfd.SIZE);
            ring = Ring.open(Bindings.current(), this::isInUse, ENTRIES, 2 * ENTRIES, PLAIN);
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
                place = new Place(places.size());
                places.add(place);
            } else {
                free = place.nextFree;
            }
            place.slot = slot;
            slot.place = place.number;
        }
        Place place = places.get(slot.place);
        if (place.armed != slot.activeEvents()) {
            disarm(place);
            toArm.add(place);
        }
    }

    private void leave(Place place) {
        disarm(place);
        place.slot = null;
        place.generation++;
        place.found = 0;
        place.nextFree = free;
        free = place;
    }

    // The request's completion, whatever it turns out to be, carries the generation that ends here.
    private void disarm(Place place) {
        if (place.armed != 0) {
            if (toRemove.isEmpty() && makeSpace()) {
                remove(place.userData());
            } else {
                toRemove.add(place.userData());
            }
            place.armed = 0;
            place.found = 0;
            place.generation++;
        }
    }

    private void remove(long userData) {
        ring.set(IORING_OP_POLL_REMOVE, -1, 0, userData, 0, 0, NOBODY);
        ring.add();
    }

    /** {@return whether the submission queue has space, after letting the kernel empty it if it was full} */
    private boolean makeSpace() {
        if (!ring.hasSpace()) {
            ring.enter(0, 0);
            take();
        }
        return ring.hasSpace();
    }

    private void armAll() {
        for (int left = toArm.size(); left > 0 && makeSpace(); left--) {
            Place place = toArm.poll();
            int events = place.slot == null ? 0 : place.slot.activeEvents();
            if (events != 0 && place.armed == 0) {
                poll((int) place.slot.descriptor(), toPoll(events), place.userData());
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

    // Outside of a wait nothing else would submit the cancellations, and a request keeps its file open: the peer of a
    // closed connection would not learn of the close.
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
            remove(toRemove.poll());
        }
        armAll();
        boolean all = toRemove.isEmpty() && toArm.isEmpty() && wakeUpArmed;
        boolean look = !found.isEmpty() || wokenUp || timeoutNanos == 0 || !all;
        int entered = ring.enter(look ? 0 : 1, look ? 0 : timeoutNanos);
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
            } else if (data != NOBODY) {
                took((int) data, (int) (data >>> Integer.SIZE), result);
            }
        }
        return some;
    }

    private void took(int number, int generation, int result) {
        Place place = number < 0 || number >= places.size() ? null : places.get(number);
        if (place == null || place.generation == generation && place.armed == 0) {
            ignoreStaleCompletion(number, generation, result);
            return;
        }
        if (place.generation != generation) {
            // From a request that has been disarmed since.
            return;
        }
        place.armed = 0;
        if (Errno.ECANCELED.is(result) || noteRefusal(result)) {
            // The thread that submitted it has ended, or there is no memory for it.
            toArm.add(place);
            return;
        }
        if (Errno.EINVAL.is(result) && place.slot.activeEvents() == EventType.EXCEPTION) {
            // A regular file is always ready, but not for that, and there is nothing in it to wait for.
            return;
        }
        // The request was rejected: the handle's next call will report why.
        int revents = result < 0 ? PollConstants.POLLERR : result;
        int events = PollBits.UNIX.events((revents & URGENT) == 0 ? revents : pollNow(place.slot));
        if (events == 0) {
            toArm.add(place);
        } else {
            place.found = events;
            found.add(place);
        }
    }

    /** Ignores a completion of no request, which must not affect the handles of the set, and logs the first one. */
    private void ignoreStaleCompletion(int place, int generation, int result) {
        if (!staleCompletionLogged) {
            staleCompletionLogged = true;
            LOG.warn("{}: ignoring a completion that matches no request; further ones are not logged: place {},"
                    + " generation {}, result {}", NAME, place, generation, result);
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
            Place place = found.peek();
            if (place.found != 0) {
                // First, since there may be no memory for it.
                toArm.add(place);
                report(ready, place.slot, place.found);
                place.found = 0;
            }
            found.remove();
        }
    }

    private static int toPoll(int events) {
        return PollBits.UNIX.of(events) | ((events & EventType.EXCEPTION) != 0 ? URGENT : 0);
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
