package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reading, writing and appending to files. */
public final class FileSuite implements Suite {

    private static final int ROUNDS = 3;
    private static final long MEBIBYTE = 1 << 20;

    /** Creates a suite. */
    public FileSuite() {
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public String summary() {
        return "reads, writes and appends, cached and direct: Sluice beside FileChannel, AsynchronousFileChannel, a"
                + " mapped file and fio";
    }

    @Override
    public String method() {
        return """
                Blocks of 4 KiB, or as many bytes as a table says, are read and written in files of 512 MiB, at random
                places or one after the other. They lie in the directory of the results, on the file system that this
                directory is on. One file is in the page cache throughout: no disk is waited for, and what is measured
                is the way there and back. It was written in blocks of 4 KiB: a kernel that caches larger parts of it
                in one piece takes many times as long to change 4 KiB of such a piece. The other file is opened so that
                the page cache is bypassed (*direct*), and the disk is part of what is measured. Every block tells
                where it belongs, which is checked for one of eight reads; of the blocks written the last are read
                back. What is in the cache and changed is written to the disk before a measurement that is not of the
                cache.

                *FileChannel*, *FileHandle* (Sluice's, by way of the same system calls) and the *mapped file*, from
                which bytes are copied, work in one thread, one operation after the other, in columns of more as well:
                they have nothing in flight. *A thread each* are as many platform threads, or virtual threads, as the
                column has operations in flight. The *Proactor* has one thread and starts the next operation of a slot
                when its last has completed; on io_uring the kernel copies within the system call where it can, and
                lets threads of its own do the rest. On epoll, which knows nothing of files, a few threads call pread
                and pwrite. *FileBatch* is one thread that submits as many operations as there are in flight, waits for
                all of them, and does so again; or virtual threads that submit one each. So with 32 in flight, its time
                for 32 reads beside that of *FileChannel* one after the other is the ratio of the rates; the aim of a
                quarter is one of 4 times the rate. *AsynchronousFileChannel* has handlers, which start the next
                operation, and the threads that it makes by itself, as many as there are operations in flight; in a row
                of its own it is given one for each processor. All buffers are direct, and aligned.

                *fio* is one job with the engine io_uring, the same file, size and number in flight, and otherwise its
                defaults; *registered* has `--registerfiles` and `--fixedbufs`. It writes other bytes, and so to files
                of its own, which were written like the others. It checks no block.

                Random operations of 4 KiB have up to 256 reads in flight, 128 direct writes and 32 cached writes;
                *FileHandle* takes part in cached ones only, and *FileChannel* with one thread in direct ones with 32
                in flight only. Of 1,000 virtual threads, 256 have a read in flight: for those that *FileChannel*
                blocks, the JDK starts no more carriers than that, and the file of *FileBatch* has the same limit.
                Sequential operations and those of other sizes have 8 in flight, without *FileHandle*, *FileChannel*
                with one thread or with virtual threads, *AsynchronousFileChannel* and *registered*.

                Of the appends each thread writes 4 KiB at the end of one file and waits for fdatasync before it writes
                again; a Proactor has as many such chains in one thread. A *FileChannel* and a *FileHandle* are opened
                for appending, and take two calls. The *Proactor* and *FileBatch* have one operation that writes and
                then forces, `writeAndForceData`, at positions that the program counts: on a file that is opened for
                appending, one write is executed at a time, and one force. Afterwards the file has every record, once,
                and those of one thread in their order. fio takes no part: its jobs do not append to one file.

                The *Sluice log* is that of `./sluice wal`: what the threads append while one group of records is
                written and forced is the next group, and each thread waits at the Condition of its group. A thread that
                appends while no group is being written makes the two calls itself. The *log on a FileChannel* has the
                same groups of at most 256 KiB, with the same numbers and checksums. They begin at blocks of 4 KiB of
                the same segments: files of 16 MiB that another thread fills with zeros ahead, and that are opened past
                the page cache where the file system allows that. One thread writes each group by `write` and then
                forces it by `force(false)`. Afterwards both are read by the same code, and have every record, too. The
                aim of 1.2 times the rate is that of 16 threads.

                CPU time is that of the whole process, with the threads that the kernel makes for io_uring; of fio,
                less what a run with one operation takes, and at least what it counts itself. A latency goes from
                before the start of an operation to when its result is there, for each operation, or each eighth of 4
                KiB on a cached file. These are closed loops. Of what is allocated for an operation, less than half a
                byte is the measurement's where there are many in flight.

                With *parallelism=1* the virtual threads have one carrier thread, and a virtual thread beside them
                computes in pieces of some microseconds and parks for 100 after each; its CPU time is in that of the
                column. The aim is that it goes on: at least 100 pieces a second.

                Lucene's directory has a suite of its own.""";
    }

    @Override
    public List<Section> sections() {
        return Questions.sections();
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(5), Duration.ofSeconds(50), Duration.ofMinutes(32));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        List<String> absences = new ArrayList<>();
        Set<String> absent = new HashSet<>();
        Contestants.DEMULTIPLEXERS.forEach((name, demultiplexer) -> {
            String missing = Contestants.missing(demultiplexer);
            if (missing != null) {
                absent.add(name);
                absences.add(name + " is missing: " + missing);
            }
        });
        Optional<Path> fio = host.find("fio");
        TrialFiles files = new TrialFiles(host.directory());
        try {
            files.write(scale.choose(8, 256, 512) * MEBIBYTE, fio.isPresent());
            boolean direct = isDirect(files, absences);
            Map<String, Fio> programs = new LinkedHashMap<>();
            if (fio.isPresent()) {
                Job job = (direct ? Job.direct(false, 1) : Job.cached(false, 1));
                Job onFile = job.on(files.of(job));
                find(host, fio.get(), false, onFile, Contestants.FIO, programs, absences);
                find(host, fio.get(), true, onFile, Contestants.FIO_REGISTERED, programs, absences);
            } else {
                absences.add("fio: install it");
            }
            return new Preparation(new FileTrials(scale, host, files, programs, absent, direct).all(),
                    scale.choose(1, 1, ROUNDS), absences, versions(programs.values()), files);
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
    }

    private static void find(Host host, Path program, boolean registered, Job job, String name,
            Map<String, Fio> programs, List<String> absences) {
        try {
            programs.put(name, Fio.start(host, program, registered, job));
        } catch (IOException e) {
            absences.add(name + ": " + e.getMessage());
        }
    }

    private static List<String> versions(Collection<Fio> programs) {
        return programs.stream().map(Fio::version).filter(version -> !version.isEmpty()).distinct().toList();
    }

    /** {@return whether the page cache can be bypassed} If not, an absence says why. */
    private static boolean isDirect(TrialFiles files, List<String> absences) {
        Job job = Job.direct(false, 1);
        Path path = files.of(job);
        try (FileHandle handle = FileHandle.open(path, job.ofHandle());
                FileChannel channel = FileChannel.open(path, job.ofChannel())) {
            long bytes = handle.read(Slot.aligned(Slot.BLOCK), 0) + channel.read(Slot.aligned(Slot.BLOCK), 0);
            if (bytes == 2 * Slot.BLOCK) {
                return true;
            }
            absences.add("direct operations: reads of " + path + " are short");
        } catch (IOException | RuntimeException e) {
            absences.add("direct operations: " + e.getMessage());
        }
        return false;
    }
}
