package dev.sluice.handle;

import dev.sluice.system.DatagramArray;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Splits received messages into the datagrams that the system has coalesced in them. All datagrams of a message have
 * the same length, except the last one, which has the rest.
 */
final class CoalescedDatagrams {

    private final DatagramArray messages;
    private ByteBuffer[] views = {};
    private int[] owners = {};
    private int[] offsets = {};
    private int[] lengths = {};
    private int count;

    CoalescedDatagrams(DatagramArray messages) {
        this.messages = messages;
    }

    /** {@return the number of datagrams in the given number of received messages} */
    int split(int received) {
        count = 0;
        for (int message = 0; message < received; message++) {
            int left = messages.length(message);
            int size = messages.segmentSize(message);
            int offset = 0;
            while (size > 0 && left > size) {
                add(message, offset, size);
                offset += size;
                left -= size;
            }
            add(message, offset, left);
        }
        return count;
    }

    private void add(int message, int offset, int length) {
        if (count == views.length) {
            grow();
        }
        owners[count] = message;
        offsets[count] = offset;
        lengths[count++] = length;
    }

    private void grow() {
        int more = Math.max(2 * count, messages.capacity());
        owners = Arrays.copyOf(owners, more);
        offsets = Arrays.copyOf(offsets, more);
        lengths = Arrays.copyOf(lengths, more);
        ByteBuffer[] moreViews = Arrays.copyOf(views, more);
        for (int i = count; i < more; i++) {
            moreViews[i] = messages.views();
        }
        // Last: if there is no memory for a view, the next datagram finds the old array full, and this is repeated.
        views = moreViews;
    }

    /** {@return the index of the message that contained a datagram} */
    int message(int index) {
        return owners[index];
    }

    /** {@return the full length of a datagram in bytes} */
    int length(int index) {
        return lengths[index];
    }

    /** {@return the received bytes of a datagram, from position to limit} */
    ByteBuffer datagram(int index) {
        int start = owners[index] * messages.maxDatagramSize();
        int from = Math.min(offsets[index], messages.maxDatagramSize());
        int to = Math.min(offsets[index] + lengths[index], messages.maxDatagramSize());
        return views[index].limit(start + to).position(start + from);
    }
}
