package dev.sluice.eventloop;

import dev.sluice.calls.SmallJvm;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.reactor.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A program that closes everything while its heap is full, and once more when there is memory again. */
final class FullHeapCloses {

    private static final int CONNECTIONS = 3;
    private static final int LARGEST = 1 << 20;
    private static final int SMALLEST = 16;
    /** Each size ends with a collection of all garbage, and there is none. */
    private static final int RATIO = 16;

    private static final Object[] HOARD = new Object[400_000];
    private static int hoarded;

    private FullHeapCloses() {
    }

    /**
     * Opens, fills, closes, frees, closes.
     *
     * @param arguments the mode, the demultiplexer, and whether each has been closed once before, with memory
     */
    public static void main(String[] arguments) throws Exception {
        Mode mode = Mode.valueOf(arguments[0]);
        List<Connection> connections = new ArrayList<>();
        if (Boolean.parseBoolean(arguments[2])) {
            for (Closable closable : open(mode, arguments[1], connections)) {
                closable.close();
            }
        }
        Closable[] closables = open(mode, arguments[1], connections).toArray(Closable[]::new);
        Throwable[] failures = new Throwable[closables.length];
        for (int i = 0; i < closables.length; i++) {
            fill();
            try {
                closables[i].close();
            } catch (Throwable e) {
                failures[i] = e;
            }
        }
        Arrays.fill(HOARD, null);
        System.gc();
        int i = 0;
        for (Closable.Kind kind : kinds(mode)) {
            if (failures[i] != null) {
                closables[i].close();
            }
            closables[i].assertAllNotified(CONNECTIONS);
            System.out.println(kind + ": " + failures[i]);
            say(kind + " closed");
            i++;
        }
        connections.forEach(Connection::close);
        say("end");
    }

    private static List<Closable> open(Mode mode, String demultiplexer, List<Connection> connections)
            throws Exception {
        List<Closable> opened = new ArrayList<>();
        for (Closable.Kind kind : kinds(mode)) {
            List<Connection> own = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                own.add(Connection.tcp());
            }
            connections.addAll(own);
            opened.add(kind.opening.open(demultiplexer, own));
        }
        return opened;
    }

    private static List<Closable.Kind> kinds(Mode mode) {
        return Arrays.stream(Closable.Kind.values()).filter(kind -> kind.mode == mode).toList();
    }

    /** Takes all memory, to the last few bytes. */
    private static void fill() {
        for (int size = LARGEST; size >= SMALLEST; size /= RATIO) {
            try {
                while (hoarded < HOARD.length) {
                    HOARD[hoarded] = new byte[size];
                    hoarded++;
                }
            } catch (OutOfMemoryError e) {
                // Smaller ones may find a place.
                continue;
            }
        }
    }

    private static void say(String what) {
        // What the JVM prints of a thread that has found no memory may not have ended its line yet.
        System.out.print('\n' + SmallJvm.MARK + what + '\n');
    }
}
