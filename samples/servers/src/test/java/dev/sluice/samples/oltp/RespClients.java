package dev.sluice.samples.oltp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Many clients, closed together. */
public final class RespClients implements AutoCloseable, Iterable<RespClient> {

    private final List<RespClient> all = new ArrayList<>();

    /** Connects one more. */
    public RespClient connect(InetSocketAddress address) throws IOException {
        all.add(new RespClient(address));
        return all.get(all.size() - 1);
    }

    public RespClient get(int index) {
        return all.get(index);
    }

    public int count() {
        return all.size();
    }

    @Override
    public Iterator<RespClient> iterator() {
        return all.iterator();
    }

    @Override
    public void close() throws IOException {
        for (RespClient client : all) {
            client.close();
        }
    }
}
