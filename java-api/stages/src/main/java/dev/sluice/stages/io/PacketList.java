package dev.sluice.stages.io;

/** Packets in their order. For one thread. */
final class PacketList {

    private OutgoingPacket first;
    private OutgoingPacket last;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return first == null;
    }

    /** {@return the first; null if there is none} */
    OutgoingPacket peek() {
        return first;
    }

    /** {@return the first, which is in no list any more; null if there is none} */
    OutgoingPacket poll() {
        OutgoingPacket packet = first;
        if (packet != null) {
            first = packet.next();
            if (first == null) {
                last = null;
            }
            packet.setNext(null);
            size--;
        }
        return packet;
    }

    void add(OutgoingPacket packet) {
        if (last == null) {
            first = packet;
        } else {
            last.setNext(packet);
        }
        last = packet;
        size++;
    }

    /** Adds what is linked from the newest to the oldest, the oldest first. */
    void addReversed(OutgoingPacket newest) {
        OutgoingPacket oldest = null;
        for (OutgoingPacket packet = newest; packet != null;) {
            OutgoingPacket older = packet.next();
            packet.setNext(oldest);
            oldest = packet;
            packet = older;
            size++;
        }
        if (oldest != null) {
            if (last == null) {
                first = oldest;
            } else {
                last.setNext(oldest);
            }
            last = newest;
        }
    }
}
