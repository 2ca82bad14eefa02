package dev.sluice.samples.oltp.pool;

import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import java.util.Iterator;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that every OLTP server has. */
public final class PoolOptions {

    private static final int MOST_THREADS = 1024;

    @Option(names = "--pool", paramLabel = "MODEL", defaultValue = "leader-followers",
            converter = Model.class, completionCandidates = Models.class,
            description = "Which thread serves which connection: ${COMPLETION-CANDIDATES} (default: "
                    + "${DEFAULT-VALUE}).")
    private PoolModel model;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "16",
            description = "Threads of leader-followers and half-sync; the other models have one, or one for "
                    + "each connection (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Mixin
    private ServerOptions server;

    /** The names of the models, as they are written. */
    private static final class Models implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(PoolModel.values()).map(PoolModel::toString).iterator();
        }
    }

    /** Finds a model by its name. */
    private static final class Model implements ITypeConverter<PoolModel> {
        @Override
        public PoolModel convert(String name) {
            return Stream.of(PoolModel.values()).filter(each -> each.toString().equalsIgnoreCase(name)).findFirst()
                    .orElseThrow(() -> new TypeConversionException("expected one of " + String.join(", ", new Models())
                            + ", but was '" + name + "'"));
        }
    }

    /** For picocli. */
    public PoolOptions() {
    }

    /** Checks the options that picocli cannot check, and puts them into force. */
    public void apply() {
        server.apply(Mode.SYNCHRONOUS, null);
        if (model.unavailable() != null) {
            throw server.bad("--pool " + model + " " + model.unavailable());
        }
        server.requireRange("--threads", threads, 1, MOST_THREADS);
    }

    /** {@return which thread serves which connection} */
    public PoolModel model() {
        return model;
    }

    /** {@return the options of all servers} */
    public ServerOptions server() {
        return server;
    }

    /**
     * Serves until the process is asked to stop.
     *
     * @param name     the sample's name
     * @param services makes a service for each connection
     * @param stop     told of the failure of whatever the services cannot do without
     * @throws IOException          if it cannot, or a thread fails that it cannot do without
     * @throws InterruptedException if the thread is interrupted
     */
    public void serve(String name, ServiceFactory services, StopRequest stop)
            throws IOException, InterruptedException {
        model.serve(name, server, threads, services, stop);
    }
}
