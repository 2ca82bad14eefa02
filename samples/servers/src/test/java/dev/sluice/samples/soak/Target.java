package dev.sluice.samples.soak;

import dev.sluice.samples.Patience;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** A server of the soak, who talks to it and how, and what has been seen of it. */
final class Target {

    private static final long NOT_KNOWN = Long.MAX_VALUE;

    private final ObservedServer server;
    private final InetSocketAddress address;
    private final byte[] request;
    private final Set<Hostility> hostilities = EnumSet.complementOf(EnumSet.of(Hostility.DATAGRAMS));
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private final List<Look> looks = new ArrayList<>();
    private Conversation conversation;
    private Target ahead;
    private long sockets = NOT_KNOWN;
    private long messagesBefore;
    private long nanosBefore;

    /** Creates a target that only bad clients talk to; what they say begins like this. */
    Target(ObservedServer server, byte[] request) throws InterruptedException {
        this.server = server;
        this.address = server.address();
        this.request = request;
    }

    /** Adds good clients. */
    Target talkedTo(Conversation by) {
        conversation = by;
        return this;
    }

    /** Adds bad clients that send datagrams. */
    Target floodedWithDatagrams() {
        hostilities.add(Hostility.DATAGRAMS);
        return this;
    }

    /** Lets good clients reach this server through the other one. */
    Target behind(Target other) {
        ahead = other;
        return this;
    }

    ObservedServer server() {
        return server;
    }

    InetSocketAddress address() {
        return address;
    }

    byte[] request() {
        return request;
    }

    List<Hostility> hostilities() {
        return List.copyOf(hostilities);
    }

    /** {@return what good clients do, null if there are none} */
    Conversation conversation() {
        return conversation;
    }

    List<Look> looks() {
        return looks;
    }

    void answered(int count, long took) {
        messages.addAndGet(count);
        nanos.addAndGet(took);
    }

    /** {@return the number of messages that the good clients have exchanged with it} */
    long messages() {
        return ahead == null ? messages.get() : ahead.messages();
    }

    /** Looks, once all is closed that clients had open, which every connection must be that they have closed. */
    void look(double yardstickNanos) throws Exception {
        if (sockets == NOT_KNOWN) {
            server.awaitQuiet();
            sockets = server.figures().openSockets();
        }
        Patience.until(() -> server.name() + " has more than " + sockets + " sockets, as it has had before",
                () -> server.figures().openSockets() <= sockets);
        sockets = Math.min(sockets, server.figures().openSockets());
        long done = messages.get() - messagesBefore;
        long took = nanos.get() - nanosBefore;
        messagesBefore += done;
        nanosBefore += took;
        looks.add(server.look(messages(), done == 0 ? 1 : took / yardstickNanos / done));
    }
}
