package dev.sluice.walk;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.MethodEntryRequest;
import com.sun.jdi.request.MethodExitRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Records which classes an {@link EchoProgram} enters for a message, from the wait that brings it to the first wait
 * after the last hook. It runs the program as a debugger does: the JVM reports each method that the loop thread enters
 * and leaves. A class counts if a frame of one of its methods runs, whether it is entered or returned to; the body of a
 * lambda is a method of the class that it stands in. Reading a field does not count.
 */
final class RecordedWalk {

    private static final String LIBRARY = "dev.sluice.";
    private static final String TEST = RecordedWalk.class.getPackageName() + ".";

    private final VirtualMachine vm;
    /** Whose hooks are called: of this program's classes, the one that counts. */
    private final Class<?> program;
    /** The system call that waits. */
    private final String wait;
    private final List<Path> sources;
    private final Deque<Method> stack = new ArrayDeque<>();
    private final List<Set<ReferenceType>> messages = new ArrayList<>();
    /** For the message at hand; null before the first one. */
    private Set<ReferenceType> entered;
    private boolean complete = true;
    private MethodEntryRequest entries;
    private MethodExitRequest exits;
    private final List<Walk> walks = new ArrayList<>();

    private RecordedWalk(VirtualMachine vm, Class<?> program, String wait) throws IOException {
        this.vm = vm;
        this.program = program;
        this.wait = wait;
        this.sources = sources();
    }

    /**
     * {@return the walks of {@link EchoProgram#RECORDED} messages}
     *
     * @param program to run in a JVM of its own
     * @param wait    the method of the binding that waits in the kernel
     * @param options of the JVM
     */
    static List<Walk> of(Class<? extends EchoProgram> program, String wait, String options) throws Exception {
        LaunchingConnector launcher = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = launcher.defaultArguments();
        arguments.get("options").setValue("-Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 " + options + " -cp \""
                + System.getProperty("java.class.path") + '"');
        arguments.get("main").setValue(program.getName());
        VirtualMachine vm = launcher.launch(arguments);
        try {
            RecordedWalk recording = new RecordedWalk(vm, program, wait);
            recording.follow();
            if (recording.walks.isEmpty() || vm.process().waitFor() != 0) {
                throw new AssertionError(program.getName() + " failed:\n" + output(vm.process()));
            }
            return recording.walks;
        } finally {
            vm.process().destroyForcibly();
        }
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                + new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** {@return the folders of the library's sources, and of its tests} */
    private static List<Path> sources() throws IOException {
        List<Path> folders = new ArrayList<>();
        Files.walkFileTree(root(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                if (folder.endsWith("src/main/java") || folder.endsWith("src/test/java")) {
                    folders.add(folder);
                    return FileVisitResult.SKIP_SUBTREE;
                }
                // What a build writes meanwhile may be gone before it is looked at.
                String name = folder.getFileName().toString();
                return name.equals("target") || name.equals(".git") ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }
        });
        return folders;
    }

    /** {@return the top of the source tree that the tests run in} */
    static Path root() {
        Path start = Path.of("").toAbsolutePath();
        Path root = start;
        while (root != null && Files.notExists(root.resolve(".mvn"))) {
            root = root.getParent();
        }
        if (root == null) {
            throw new IllegalStateException("no repository above " + start);
        }
        return root;
    }

    private void follow() throws InterruptedException, IncompatibleThreadStateException {
        ClassPrepareRequest prepared = vm.eventRequestManager().createClassPrepareRequest();
        prepared.addClassFilter(EchoProgram.class.getName());
        prepared.enable();
        while (true) {
            EventSet events = vm.eventQueue().remove();
            for (Event event : events) {
                if (event instanceof VMDisconnectEvent) {
                    return;
                }
                handle(event);
            }
            events.resume();
        }
    }

    private void handle(Event event) throws IncompatibleThreadStateException {
        if (event instanceof MethodEntryEvent entry) {
            enter(entry.method());
        } else if (event instanceof MethodExitEvent exit) {
            leave(exit.method());
        } else if (event instanceof ClassPrepareEvent prepare) {
            stopAt(prepare.referenceType(), "begin");
            stopAt(prepare.referenceType(), "end");
        } else if (event instanceof BreakpointEvent stopped) {
            if (entries == null) {
                begin(stopped.thread());
            } else {
                end();
            }
        }
    }

    private void stopAt(ReferenceType type, String method) {
        vm.eventRequestManager().createBreakpointRequest(type.methodsByName(method).get(0).location()).enable();
    }

    private void begin(ThreadReference loop) throws IncompatibleThreadStateException {
        for (StackFrame frame : loop.frames()) {
            stack.addLast(frame.location().method());
        }
        EventRequestManager requests = vm.eventRequestManager();
        entries = requests.createMethodEntryRequest();
        entries.addThreadFilter(loop);
        entries.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        exits = requests.createMethodExitRequest();
        exits.addThreadFilter(loop);
        exits.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        entries.enable();
        exits.enable();
    }

    private void end() {
        entries.disable();
        exits.disable();
        // The last one ends before its last wait.
        for (Set<ReferenceType> types : messages.subList(0, EchoProgram.RECORDED)) {
            walks.add(walk(types));
        }
    }

    private void enter(Method method) {
        if (method.name().equals(wait) && isLibrary(method.declaringType()) && complete) {
            complete = false;
            entered = new LinkedHashSet<>();
            messages.add(entered);
        }
        stack.push(method);
        add(method);
        if (method.name().equals("echoed")) {
            complete = true;
        }
    }

    private void leave(Method method) {
        // Frames that the stack at the beginning did not show may end, too.
        if (stack.contains(method)) {
            while (!stack.pop().equals(method)) {
                continue;
            }
            add(stack.element());
        }
    }

    private void add(Method method) {
        if (entered != null) {
            entered.add(method.declaringType());
        }
    }

    private Walk walk(Set<ReferenceType> types) {
        List<EnteredClass> classes = new ArrayList<>();
        for (ReferenceType type : types) {
            boolean isOfTest = type.name().startsWith(TEST) && !type.name().equals(program.getName());
            if (isLibrary(type) && !isOfTest) {
                classes.add(EnteredClass.of(type, sources));
            }
        }
        int others = (int) types.stream().filter(type -> !isLibrary(type)).count();
        return new Walk(classes, others);
    }

    private static boolean isLibrary(ReferenceType type) {
        // The names of hidden classes have a slash.
        return type.name().startsWith(LIBRARY) && type.name().indexOf('/') < 0;
    }
}
