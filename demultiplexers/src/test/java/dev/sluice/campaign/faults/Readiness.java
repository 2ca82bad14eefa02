package dev.sluice.campaign.faults;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.EpollConstants;
import dev.sluice.calls.layout.EpollEvent;
import dev.sluice.calls.layout.FdSet;
import dev.sluice.calls.layout.PollConstants;
import dev.sluice.calls.layout.Pollfd;
import dev.sluice.calls.layout.Timeval;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes a wait report as readable what is not, as the system does when a datagram turns out to be damaged (select(2),
 * "BUGS"). If all is ready anyway the wait remains as it is.
 */
final class Readiness {

    /** A call as it was going to be made. */
    @FunctionalInterface
    interface Call {
        int make() throws Throwable;
    }

    private record Registered(int events, long data) {
    }

    private final Memory memory;
    /** By epoll instance and descriptor. */
    private final Map<Long, Registered> registered = new LinkedHashMap<>();

    Readiness(Memory memory) {
        this.memory = memory;
    }

    private static long key(Object instance, Object descriptor) {
        return (long) (Integer) instance << Integer.SIZE | (Integer) descriptor;
    }

    /** Notes what a call registers. */
    synchronized void before(String function, Object[] arguments) {
        if (function.equals("epoll_create1")) {
            registered.clear();
        } else if (function.equals("epoll_ctl")) {
            long key = key(arguments[0], arguments[2]);
            if ((Integer) arguments[1] == EpollConstants.EPOLL_CTL_DEL) {
                registered.remove(key);
            } else {
                try (MemoryBlock event = memory.wrap((Long) arguments[3], EpollEvent.SIZE, () -> { })) {
                    registered.put(key, new Registered(EpollEvent.events(event.buffer(), 0),
                            EpollEvent.data(event.buffer(), 0)));
                }
            }
        }
    }

    /** Makes a wait that does not wait, or if there is nothing to be added, as long as it was going to. */
    Object spurious(String function, Object[] arguments, Call call) throws Throwable {
        return switch (function) {
            case "epoll_wait" -> epollWait(arguments, call);
            case "poll" -> poll(arguments, call);
            case "select" -> select(arguments, call);
            default -> throw new IllegalStateException(function + " waits for nothing");
        };
    }

    private int epollWait(Object[] arguments, Call call) throws Throwable {
        int room = (Integer) arguments[2];
        Object timeout = arguments[3];
        arguments[3] = 0;
        int found = call.make();
        if (found < 0 || found == room) {
            return found;
        }
        try (MemoryBlock events = memory.wrap((Long) arguments[1], room * EpollEvent.SIZE, () -> { })) {
            Registered added = notAmong(events.buffer(), found, (Integer) arguments[0]);
            if (added != null) {
                EpollEvent.set(events.buffer(), found * EpollEvent.SIZE, EpollConstants.EPOLLIN, added.data);
                return found + 1;
            }
        }
        arguments[3] = timeout;
        // Without the lock, which the calls need that this one may wait for.
        return found > 0 ? found : call.make();
    }

    private synchronized Registered notAmong(ByteBuffer events, int found, int instance) {
        for (Map.Entry<Long, Registered> entry : registered.entrySet()) {
            Registered candidate = entry.getValue();
            // A one-shot registration would have to be silenced as well.
            boolean suitable = entry.getKey() >>> Integer.SIZE == instance
                    && (candidate.events & EpollConstants.EPOLLIN) != 0
                    && (candidate.events & EpollConstants.EPOLLONESHOT) == 0;
            if (suitable && !contains(events, found, candidate.data)) {
                return candidate;
            }
        }
        return null;
    }

    private static boolean contains(ByteBuffer events, int found, long data) {
        for (int i = 0; i < found; i++) {
            if (EpollEvent.data(events, i * EpollEvent.SIZE) == data) {
                return true;
            }
        }
        return false;
    }

    private int poll(Object[] arguments, Call call) throws Throwable {
        int count = Math.toIntExact((Long) arguments[1]);
        Object timeout = arguments[2];
        arguments[2] = 0;
        int found = call.make();
        try (MemoryBlock block = memory.wrap((Long) arguments[0], count * Pollfd.SIZE, () -> { })) {
            ByteBuffer polled = block.buffer();
            for (int at = 0; found >= 0 && at < count * Pollfd.SIZE; at += Pollfd.SIZE) {
                if (polled.getInt(at + Pollfd.FD) >= 0 && polled.getShort(at + Pollfd.REVENTS) == 0
                        && (polled.getShort(at + Pollfd.EVENTS) & PollConstants.POLLIN) != 0) {
                    polled.putShort(at + Pollfd.REVENTS, (short) PollConstants.POLLIN);
                    return found + 1;
                }
            }
        }
        arguments[2] = timeout;
        return found != 0 ? found : call.make();
    }

    private int select(Object[] arguments, Call call) throws Throwable {
        try (MemoryBlock zero = memory.allocate(Timeval.SIZE);
             MemoryBlock wanted = memory.allocate(3 * FdSet.SIZE);
             MemoryBlock sets = memory.wrap((Long) arguments[1], 3 * FdSet.SIZE, () -> { })) {
            wanted.buffer().put(0, sets.buffer(), 0, 3 * FdSet.SIZE);
            Object timeout = arguments[4];
            arguments[4] = zero.address();
            int found = call.make();
            for (int fd = 0; found >= 0 && fd < (Integer) arguments[0]; fd++) {
                if (FdSet.isSet(wanted.buffer(), 0, fd) && !FdSet.isSet(sets.buffer(), 0, fd)) {
                    FdSet.set(sets.buffer(), 0, fd);
                    return found + 1;
                }
            }
            if (found != 0) {
                return found;
            }
            arguments[4] = timeout;
            sets.buffer().put(0, wanted.buffer(), 0, 3 * FdSet.SIZE);
            return call.make();
        }
    }
}
