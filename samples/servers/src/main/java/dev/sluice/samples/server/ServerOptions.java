package dev.sluice.samples.server;

import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.eventloop.LoopBuilder;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.ProactorGroup;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.ReactorGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that every server has. */
public final class ServerOptions {

    /** The largest number that a port can have. */
    public static final int LARGEST_PORT = 65_535;

    /** In seconds. */
    private static final double SHORTEST_STOP = 0.05;
    private static final double LONGEST_STOP = 3600;
    private static final String LOOPBACK = "127.0.0.1";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1",
            description = "Address to listen on (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "7007",
            description = "Port to listen on, 0 for any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--demultiplexer", paramLabel = "NAME", defaultValue = Mechanism.AUTO,
            description = "Demultiplexer, one of those listed by 'sluice doctor' (default: ${DEFAULT-VALUE}).")
    private String demultiplexer;

    @Option(names = "--native", paramLabel = "BINDING",
            description = "Native binding: ffm or jna (default: the best one).")
    private String binding;

    @Option(names = "--stop-timeout", paramLabel = "SECONDS", defaultValue = "5",
            converter = OptionValues.Seconds.class,
            description = "How long connections have to finish when the server is asked to stop; a second Ctrl-C "
                    + "closes them at once (default: ${DEFAULT-VALUE}).")
    private Duration stopTimeout;

    private Mechanism mechanism;

    private final Surroundings surroundings;

    /**
     * For picocli.
     *
     * @param surroundings the surroundings of the server
     */
    public ServerOptions(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /**
     * {@return a request to stop the server, which its signals make}
     *
     * @throws ParameterException if the time for the stop is out of range
     */
    public StopRequest newStopRequest() {
        requireRange("--stop-timeout", stopTimeout, SHORTEST_STOP, LONGEST_STOP);
        return new StopRequest(surroundings.signals(), stopTimeout);
    }

    /**
     * Prints the {@link ReadyLine}.
     *
     * @param server  the sample's name
     * @param address the address it listens on
     * @param chosen  the chosen demultiplexer
     */
    public void announce(String server, SocketAddress address, String chosen) {
        ReadyLine.print(surroundings.out(), server, address, chosen);
    }

    /** {@return where lines for standard output go} */
    public ConsoleDestination console() {
        return new ConsoleDestination(surroundings.console());
    }

    /**
     * Checks the options that picocli cannot check, and applies them. To be called before anything native is
     * used.
     *
     * @param mode  the mode of the demultiplexer
     * @param other the option that makes this server take a demultiplexer of the other mode, null if there is none
     * @throws ParameterException if one is wrong
     */
    public void apply(Mode mode, String other) {
        apply(mode, other, null);
    }

    /**
     * Checks the options as {@link #apply(Mode, String)} does, and if need be that many threads can wait at once with
     * the demultiplexer; by default it is then the best one with which they can.
     *
     * @param mode       the mode of the demultiplexer
     * @param other      the option that makes this server take a demultiplexer of the other mode, null if there is none
     * @param concurrent the option that asks for a demultiplexer that many threads use, null if any will do
     * @throws ParameterException if one is wrong
     */
    public void apply(Mode mode, String other, String concurrent) {
        requireRange("--port", port, 0, LARGEST_PORT);
        requireNamed("--host", host);
        requireNamed("--native", binding);
        requireNamed("--demultiplexer", demultiplexer);
        if (binding != null) {
            chooseBinding();
        }
        choose(mode, other, concurrent);
    }

    /**
     * {@return the options of one more port of the same server, for the best demultiplexer of a mode}
     *
     * @param otherPort  the port, 0 for any free one
     * @param mode       the mode of the demultiplexer
     * @param concurrent what asks for a demultiplexer that many threads use, null if any will do
     * @throws ParameterException if there is none here
     */
    public ServerOptions at(int otherPort, Mode mode, String concurrent) {
        ServerOptions options = new ServerOptions(surroundings);
        options.command = command;
        options.host = host;
        options.port = otherPort;
        options.demultiplexer = Mechanism.AUTO;
        options.choose(mode, null, concurrent);
        return options;
    }

    private void chooseBinding() {
        System.setProperty(Bindings.PROPERTY, binding);
        try {
            Bindings.current();
        } catch (IllegalStateException e) {
            throw bad(e.getMessage().replace("of -D" + Bindings.PROPERTY, "of --native"));
        }
    }

    private void choose(Mode mode, String other, String concurrent) {
        try {
            Bindings.current();
            requireMode(mode, other);
            mechanism = Mechanism.choose(demultiplexer, mode);
            if (concurrent != null && !mechanism.isConcurrent()) {
                mechanism = concurrent(mode, concurrent);
            }
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw bad(e.getMessage());
        }
    }

    private Mechanism concurrent(Mode mode, String option) {
        List<Mechanism> all = Mechanism.available().stream().filter(each -> each.mode() == mode
                && each.isConcurrent() && each.availability().usable()).toList();
        if (demultiplexer.equals(Mechanism.AUTO) && Mechanism.forcedBy(mode).isEmpty() && !all.isEmpty()) {
            return all.get(0);
        }
        throw bad(option + " needs a demultiplexer that several threads can use concurrently, which " + mechanism.name()
                + " is for one; there is " + (all.isEmpty() ? "none here" : all.stream()
                        .map(Mechanism::name).collect(Collectors.joining(", "))));
    }

    /** A demultiplexer that there is, but not for this pattern, must not be called unknown. */
    private void requireMode(Mode mode, String other) {
        List<Mode> modes = Mechanism.available().stream()
                .filter(each -> each.name().equals(demultiplexer)).map(Mechanism::mode).toList();
        if (!modes.isEmpty() && !modes.contains(mode)) {
            throw bad("--demultiplexer " + demultiplexer + " is a "
                    + (mode == Mode.SYNCHRONOUS ? "completion" : "readiness") + " demultiplexer"
                    + (other == null ? ", which this server has no use for" : ": add " + other));
        }
    }

    /**
     * Checks a number.
     *
     * @param option  its name
     * @param value   the given value
     * @param minimum the smallest that is allowed
     * @param maximum the largest
     * @throws ParameterException if it is out of range
     */
    public void requireRange(String option, int value, int minimum, int maximum) {
        if (value < minimum || value > maximum) {
            throw bad(option + " must be " + minimum + " to " + maximum + ", not " + value);
        }
    }

    /**
     * Checks a number that may have a fraction.
     *
     * @param option  its name
     * @param value   the given value
     * @param minimum the smallest that is allowed
     * @param maximum the largest
     * @throws ParameterException if it is out of range, or none
     */
    public void requireRange(String option, double value, double minimum, double maximum) {
        if (!(value >= minimum && value <= maximum)) {
            DecimalFormat plain = new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT));
            throw bad(option + " must be " + plain.format(minimum) + " to " + plain.format(maximum) + ", not "
                    + plain.format(value));
        }
    }

    /**
     * Checks a time, which options give in seconds.
     *
     * @param option  its name
     * @param value   the time
     * @param minimum the minimum, in seconds
     * @param maximum the maximum, in seconds
     * @throws ParameterException if it is out of range
     */
    public void requireRange(String option, Duration value, double minimum, double maximum) {
        requireRange(option, value.toNanos() / (double) TimeUnit.SECONDS.toNanos(1), minimum, maximum);
    }

    /**
     * Checks that there are ports for a server that listens on several in a row.
     *
     * @param option the option that asks for so many
     * @param count  the number, beginning with that of {@code --port}
     * @throws ParameterException if there are not so many
     */
    public void requirePorts(String option, int count) {
        if (port + count - 1 > LARGEST_PORT) {
            throw bad(option + " needs " + count + " ports, more than there are from --port " + port + " on");
        }
    }

    /**
     * Checks a name, which is empty where a shell has put in a variable that is not set. As a path that would mean the
     * working directory.
     *
     * @param option its name
     * @param value  the given value, null if nothing was
     * @throws ParameterException if it is empty
     */
    public void requireNamed(String option, Object value) {
        if (value != null && value.toString().isBlank()) {
            throw bad(option + " is given without a value");
        }
    }

    /**
     * Creates the exception for a bad option.
     *
     * @param message one line
     * @return the exception
     */
    public ParameterException bad(String message) {
        return new ParameterException(command.commandLine(), message);
    }

    /**
     * Creates the exception for a bad option among several.
     *
     * @param option  the option
     * @param message one line
     * @return the exception
     */
    public ParameterException bad(String option, String message) {
        return new ParameterException(command.commandLine(), message, command.findOption(option), null);
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

    /**
     * Opens the listening socket. What its connections send does not wait for more: they inherit {@code TCP_NODELAY}.
     *
     * @param backlog the number of connections that may wait to be accepted
     * @return the socket; the caller closes it
     * @throws IOException if the host name does not resolve, or the system refuses
     */
    public SocketAcceptor listen(int backlog) throws IOException {
        SocketAcceptor socket = SocketAcceptor.open(address(), backlog);
        try {
            socket.setOption(NativeSocketOptions.TCP_NODELAY, true);
            return socket;
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    /**
     * The address of another server.
     *
     * @param option the option that names it
     * @param text   {@code HOST:PORT}; an IPv6 address has brackets
     * @return the address
     * @throws ParameterException if it is none, or the host name does not resolve
     */
    public InetSocketAddress peer(String option, String text) {
        return address(option, text, "HOST:PORT", "", 1);
    }

    /**
     * Parses an address for control commands.
     *
     * @param option the option that names it
     * @param text   {@code PORT}, for this machine alone, or {@code HOST:PORT}; an IPv6 address has brackets, and 0 is
     *               any free port
     * @return the address
     * @throws ParameterException if it is none, or the host name does not resolve
     */
    public InetSocketAddress control(String option, String text) {
        return address(option, text, "PORT or HOST:PORT", LOOPBACK, 0);
    }

    private InetSocketAddress address(String option, String text, String form, String defaultHost, int smallestPort) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? defaultHost : text.substring(0, colon).replaceAll("^\\[|]$", "");
        String number = text.substring(colon + 1);
        if (host.isBlank() || !number.matches("[0-9]{1,5}") || Integer.parseInt(number) < smallestPort
                || Integer.parseInt(number) > LARGEST_PORT) {
            throw bad(option + " must be " + form + ", not '" + text + "'");
        }
        InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(number));
        if (address.isUnresolved()) {
            throw bad(option + " " + text + ": the name does not resolve");
        }
        return address;
    }

    /**
     * Opens a reactor on the demultiplexer that has been chosen.
     *
     * @return the reactor; the caller closes it
     * @throws IOException if the system refuses
     */
    public Reactor openReactor() throws IOException {
        return Reactor.open(mechanism.name());
    }

    /**
     * Opens a proactor, as {@link #openReactor()} does.
     *
     * @return the proactor; the caller closes it
     * @throws ParameterException if a system property of the demultiplexer has a value that cannot be
     * @throws IOException        if the system refuses
     */
    public Proactor openProactor() throws IOException {
        try {
            return Proactor.open(mechanism.name());
        } catch (IllegalArgumentException e) {
            throw bad(e.getMessage());
        }
    }

    /**
     * Opens reactors with a thread each, on the demultiplexer that has been chosen.
     *
     * @param name  of the server
     * @param count the number
     * @return the reactors; the caller closes them
     * @throws IOException if the system refuses
     */
    public ReactorGroup openReactors(String name, int count) throws IOException {
        return open(ReactorGroup.builder(), name, count);
    }

    /**
     * Opens proactors, as {@link #openReactors} does.
     *
     * @param name  of the server
     * @param count the number
     * @return the proactors; the caller closes them
     * @throws ParameterException if a system property of the demultiplexer has a value that cannot be
     * @throws IOException        if the system refuses
     */
    public ProactorGroup openProactors(String name, int count) throws IOException {
        try {
            return open(ProactorGroup.builder(), name, count);
        } catch (IllegalArgumentException e) {
            throw bad(e.getMessage());
        }
    }

    private <G> G open(LoopBuilder<G> builder, String name, int count) throws IOException {
        AtomicInteger made = new AtomicInteger();
        return builder.demultiplexer(mechanism.name()).loops(count)
                .threadFactory(task -> new Thread(task, name + "-" + made.getAndIncrement())).open();
    }

    /** {@return the name of the demultiplexer, perhaps auto} */
    public String demultiplexer() {
        return demultiplexer;
    }
}
