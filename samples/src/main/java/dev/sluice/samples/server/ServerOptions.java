package dev.sluice.samples.server;

import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.demultiplexer.Demultiplexers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that every server has. */
public final class ServerOptions {

    private static final int LARGEST_PORT = 65_535;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1",
            description = "Address to listen on (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "7007",
            description = "Port to listen on, 0 for any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--demultiplexer", paramLabel = "NAME", defaultValue = Demultiplexers.AUTO,
            description = "One of those that 'sluice doctor' lists (default: ${DEFAULT-VALUE}).")
    private String demultiplexer;

    @Option(names = "--native", paramLabel = "BINDING",
            description = "How to call the operating system: ffm or jna (default: the best one).")
    private String binding;

    /** For picocli. */
    public ServerOptions() {
    }

    /**
     * Checks the options that picocli cannot check, and puts them into force. To be called before anything native is
     * used.
     *
     * @param mode what the demultiplexer has to report
     * @throws ParameterException if one is wrong
     */
    public void apply(Mode mode) {
        if (port < 0 || port > LARGEST_PORT) {
            throw bad("--port must be 0 to " + LARGEST_PORT + ", not " + port);
        }
        if (binding != null) {
            System.setProperty(Bindings.PROPERTY, binding);
        }
        try {
            Bindings.current();
            Demultiplexers.choose(demultiplexer, mode);
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw bad(e.getMessage());
        }
    }

    /**
     * Makes the exception for a bad option.
     *
     * @param message one line
     * @return the exception
     */
    public ParameterException bad(String message) {
        return new ParameterException(command.commandLine(), message);
    }

    /**
     * {@return the address to listen on}
     *
     * @throws UnknownHostException if the host name does not resolve
     */
    public InetSocketAddress address() throws IOException {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new UnknownHostException("--host " + host + ": the name does not resolve");
        }
        return address;
    }

    /** {@return the name of the demultiplexer, perhaps auto} */
    public String demultiplexer() {
        return demultiplexer;
    }
}
