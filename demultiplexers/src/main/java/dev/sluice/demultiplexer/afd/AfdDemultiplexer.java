package dev.sluice.demultiplexer.afd;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.handleset.HandleSet;
import dev.sluice.demultiplexer.handleset.MemberTable;
import dev.sluice.demultiplexer.handleset.PendingSignal;
import dev.sluice.demultiplexer.handleset.RepeatedCall;
import dev.sluice.demultiplexer.handleset.SocketsOnly;
import dev.sluice.demultiplexer.handleset.UseCount;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Registration;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.CloseSteps;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A completion port and poll requests. Every change to the set is a system call, so any thread may make it. */
public final class AfdDemultiplexer implements SynchronousEventDemultiplexer {

    private static final Logger LOG = LoggerFactory.getLogger(AfdDemultiplexer.class);

    // No member has this identifier.
    private static final long WAKE_UP = -1;

    /** How long the close waits for a cancelled request, which normally completes almost at once. */
    private static final int PATIENCE_MILLIS = 10_000;

    private static final int LAST_PACKETS = 64;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final String name;
    private final Trigger trigger;
    private final Memory memory;
    private final HandleSet set;
    /** Allocated ahead, so that the close finds memory. */
    private final MemoryBlock lastPackets;
    private final AfdDevice device;
    private final MemberTable<AfdMember> table;
    /** What the last wait of a level-triggered set has reported; used by the waiter. */
    private final List<AfdMember> reported = new ArrayList<>();
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final PendingSignal wakeUpPending = new PendingSignal();
    /** Whether the next wait pauses, as a poll was refused. */
    private volatile boolean pollRefused;
    private final UseCount users = new UseCount(this::dispose);
    private final CloseSteps closing;
    private final CloseSteps disposal;
    private boolean allPacketsTaken;

    /**
     * Opens it with an empty set.
     *
     * @param name    the name by which it was chosen
     * @param trigger {@link Trigger#LEVEL} for an iterative set, {@link Trigger#ONE_SHOT} for a concurrent one
     * @throws IOException if the system refuses
     */
    public AfdDemultiplexer(String name, Trigger trigger) throws IOException {
        if (trigger == Trigger.EDGE) {
            throw new IllegalArgumentException(name + ": poll requests cannot be edge-triggered");
        }
        Binding binding = Bindings.current();
        this.name = name;
        this.trigger = trigger;
        this.memory = binding.memory();
        this.set = new HandleSet(name);
        this.lastPackets = memory.allocate(PacketArray.bytes(LAST_PACKETS));
        try {
            this.device = new AfdDevice(binding, name);
        } catch (Throwable e) {
            lastPackets.close();
            throw e;
        }
        this.table = new MemberTable<>(memory, AfdPollInfo.SIZE);
        this.closing = new CloseSteps(set::close, this::endWaits);
        this.disposal = new CloseSteps(device::close, lastPackets::close);
    }

    AfdDevice device() {
        return device;
    }

    /** {@return true if the device stays open until {@link #leave}; false if it is gone} */
    boolean enter() {
        return users.enter();
    }

    void leave() {
        users.leave();
    }

    void forget(AfdMember member) {
        table.remove(member);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public HandleSetKind handleSetKind() {
        return trigger == Trigger.ONE_SHOT ? HandleSetKind.CONCURRENT : HandleSetKind.ITERATIVE;
    }

    @Override
    public Trigger trigger() {
        return trigger;
    }

    @Override
    public ReadyBatch newReadyBatch(int capacity) {
        return new ReadyBatch(AfdDemultiplexer.class, capacity, memory, PacketArray.bytes(capacity));
    }

    @Override
    public Registration register(Handle handle, int events, Object attachment) throws IOException {
        SocketsOnly.require(name, handle);
        if (!users.enter()) {
            throw set.closedException();
        }
        try {
            AfdMember member = new AfdMember(this, set, handle, events, attachment);
            table.addOrLetGo(member);
            try {
                member.findBaseSocket();
            } catch (Throwable e) {
                member.remove();
                throw e;
            }
            member.enter();
            return member;
        } finally {
            users.leave();
        }
    }

    @Override
    public int awaitReady(ReadyBatch ready, long timeoutNanos) throws IOException {
        ReadyBatch batch = ready.requireFrom(AfdDemultiplexer.class);
        batch.clear();
        boolean alone = trigger == Trigger.LEVEL;
        if (alone && !waiting.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "another thread waits on this " + name + " demultiplexer, an iterative handle set");
        }
        try {
            if (!users.enter()) {
                throw set.closedException();
            }
            try {
                pollReported();
                return await(batch, timeoutNanos);
            } finally {
                users.leave();
            }
        } finally {
            if (alone) {
                waiting.set(false);
            }
        }
    }

    private void pollReported() {
        for (int i = 0; i < reported.size(); i++) {
            reported.get(i).follow();
        }
        reported.clear();
    }

    private int await(ReadyBatch batch, long timeoutNanos) throws IOException {
        long timeout = Timeout.bounded(timeoutNanos);
        long begin = Timeout.begin(timeout);
        pauseAfterRefusal(timeout);
        long left = timeout;
        boolean lookAgain;
        do {
            int found = device.await(batch.memory(), batch.capacity(), Timeout.millis(left));
            if (found < 0) {
                throw new SystemCallException("GetQueuedCompletionStatusEx", name, found);
            }
            lookAgain = false;
            boolean wokenUp = false;
            for (int i = 0; i < found; i++) {
                long identifier = PacketArray.identifier(batch.memory(), i);
                if (identifier == WAKE_UP) {
                    wokenUp = true;
                } else {
                    lookAgain |= completed(table.find(identifier), batch);
                }
            }
            if (wokenUp) {
                takeWakeUp();
            }
            if (wokenUp || batch.size() > 0) {
                return batch.size();
            }
            left = Timeout.left(timeout, begin);
            // A request made anew may already have its answer, even if the time is over.
        } while (left != 0 || lookAgain);
        return 0;
    }

    /** The handle of a refused poll is reported at once: without a pause the loop would spin until there is memory. */
    private void pauseAfterRefusal(long timeout) {
        if (pollRefused) {
            pollRefused = false;
            if (timeout != 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** The driver has refused a poll. */
    void pollRefused() {
        pollRefused = true;
    }

    /** {@return whether the member's request has been made anew} */
    private boolean completed(AfdMember member, ReadyBatch batch) {
        AfdMember.Outcome outcome = member.completed(batch);
        if (outcome == AfdMember.Outcome.REPORTED && trigger == Trigger.LEVEL) {
            reported.add(member);
        }
        return outcome == AfdMember.Outcome.POLLED_AGAIN;
    }

    private void takeWakeUp() throws IOException {
        wakeUpPending.taken();
        if (set.isClosed()) {
            // Each waiter passes it on, until all of them have been here.
            endWaits();
            throw set.closedException();
        }
    }

    @Override
    public void wakeUp() {
        if (wakeUpPending.begin() && users.enter()) {
            boolean given = false;
            try {
                device.post(WAKE_UP);
                given = true;
            } finally {
                wakeUpPending.ended(given);
                users.leave();
            }
        }
    }

    private void endWaits() {
        RepeatedCall.runUntilAccepted(users, () -> device.post(WAKE_UP));
    }

    @Override
    public void close() {
        StackReserve.requireForClose();
        try {
            closing.run();
        } finally {
            users.close();
        }
    }

    private void dispose() {
        if (!allPacketsTaken) {
            // If there is no memory for it, the device is needed once more.
            freeTable();
            allPacketsTaken = true;
        }
        disposal.run();
    }

    private void freeTable() {
        if (takeAllPackets()) {
            table.close();
        } else {
            LOG.warn("{}: requests that were cancelled have not completed; their memory is kept for them", name);
        }
    }

    /** {@return whether no request is left, so that the system will no longer write to their memory} */
    private boolean takeAllPackets() {
        // A packet is larger than the IO_STATUS_BLOCK of this call, and none has come yet.
        device.cancelAll(PacketArray.address(lastPackets));
        int found = 1;
        while (found > 0 && device.hasRequests()) {
            found = device.await(lastPackets, LAST_PACKETS, PATIENCE_MILLIS);
            for (int i = 0; i < found; i++) {
                long identifier = PacketArray.identifier(lastPackets, i);
                if (identifier != WAKE_UP) {
                    table.find(identifier).ended();
                }
            }
        }
        return !device.hasRequests();
    }
}
