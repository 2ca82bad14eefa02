package dev.sluice.samples;

import dev.sluice.calls.Bindings;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** One JVM for each Java and binding that samples of a test class are run on: this one, and {@link SampleHost}s. */
public final class SampleHosts implements AutoCloseable {

    private final Map<String, SampleHost> hosts = new HashMap<>();

    /** Starts a sample in a JVM of this kind, which it shares with others. */
    public RunningSample start(JavaHome java, String binding, String... arguments) throws IOException {
        if (java.equals(JavaHome.own()) && binding.equals(Bindings.current().name())) {
            return SampleThread.start(arguments);
        }
        String kind = java + " " + binding;
        SampleHost host = hosts.get(kind);
        if (host == null) {
            host = SampleHost.start(java, "-D" + Bindings.PROPERTY + "=" + binding);
            hosts.put(kind, host);
        }
        return host.run(arguments);
    }

    @Override
    public void close() {
        hosts.values().forEach(SampleHost::close);
    }
}
