package dev.sluice.eventloop;

import dev.sluice.calls.SmallJvm;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.ProactorGroup;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.ReactorGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A program that runs loops until the signal that it sends to itself, and says how they ended. */
final class TerminatedProgram {

    private TerminatedProgram() {
    }

    /**
     * Runs. The property {@code terminated} says how: {@code Reactor}, {@code Proactor} or a group of them, the name of
     * a signal, and how many milliseconds members have to finish; if that is less than a second, they never do. Of two
     * signals the second one is sent when a member is to finish, which it never does.
     */
    public static void main(String[] none) throws Exception {
        String[] arguments = System.getProperty("terminated").split(",");
        Duration deadline = Duration.ofMillis(Long.parseLong(arguments[2]));
        switch (arguments[0]) {
            case "Reactor" -> {
                try (Reactor reactor = Reactor.open()) {
                    reactor.stopOnTermination(deadline);
                    run(List.of(reactor), arguments[1], deadline, reactor::run);
                }
            }
            case "Proactor" -> {
                try (Proactor proactor = Proactor.open()) {
                    proactor.stopOnTermination(deadline);
                    run(List.of(proactor), arguments[1], deadline, proactor::run);
                }
            }
            case "ReactorGroup" -> {
                try (ReactorGroup group = ReactorGroup.open(2)) {
                    group.stopOnTermination(deadline);
                    run(group.loops(), arguments[1], deadline, group::run);
                }
            }
            default -> {
                try (ProactorGroup group = ProactorGroup.open(2)) {
                    group.stopOnTermination(deadline);
                    run(group.loops(), arguments[1], deadline, group::run);
                }
            }
        }
        System.out.println(SmallJvm.MARK + "closed");
    }

    private interface Run {
        void begin() throws IOException;
    }

    private static void run(List<? extends EventLoop> loops, String signal, Duration deadline, Run run)
            throws Exception {
        String[] signals = signal.split("\\+");
        List<String> calls = new CopyOnWriteArrayList<>();
        for (EventLoop loop : loops) {
            StopMember member = new StopMember("member", loop, calls);
            loop.addMember(member);
            if (signals.length > 1) {
                member.onFinish(() -> send(signals[1]));
            } else if (deadline.toSeconds() > 0) {
                member.onFinish(() -> loop.schedule(() -> loop.removeMember(member), Duration.ofMillis(10)));
            }
        }
        loops.get(0).execute(() -> send(signals[0]));
        run.begin();
        System.out.println(SmallJvm.MARK + calls.stream().sorted().toList());
    }

    private static void send(String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(ProcessHandle.current().pid())).start();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
