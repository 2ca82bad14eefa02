/*
 * Makes Win32 calls for a process on the other side of a shared mapping. Each slot of the mapping belongs to one thread
 * there and is served by one thread here, so that a blocking call holds up no others. Slot.java is the other half.
 *
 * Arguments: the file to map, and in hexadecimal the address to map it at, its size, and where in it the slots begin.
 * Standard input: the numbers of slots to serve, 32 bits each; its end is the end of this program.
 */
#define _WIN32_WINNT 0x0a00
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>

enum { SPINS = 200, FUTEX_WAIT = 0, FUTEX_WAKE = 1, SYS_FUTEX = 202 };

typedef LONG64 (*function)(LONG64, LONG64, LONG64, LONG64, LONG64, LONG64, LONG64, LONG64, LONG64, LONG64, LONG64,
                           LONG64);

struct header {
    LONG64 load_library;
    LONG64 get_proc_address;
    volatile LONG ready;
};

struct slot {
    volatile LONG request;
    volatile LONG answer;
    volatile LONG host_sleeps;
    volatile LONG caller_sleeps;
    function function;
    LONG64 argument[12];
    LONG64 result;
    LONG64 last_error;
    char rest[120];
};

_Static_assert(sizeof(struct slot) == 256, "Slot.java counts on it");

static char *region;
static struct slot *slots;

/* The other side is not a Windows process: all that both can sleep on is the kernel's own futex. */
static void futex(volatile LONG *word, LONG64 operation, LONG64 value)
{
    register LONG64 no_timeout __asm__("r10") = 0;
    LONG64 result;
    __asm__ volatile("syscall" : "=a"(result)
                     : "0"((LONG64) SYS_FUTEX), "D"(word), "S"(operation), "d"(value), "r"(no_timeout)
                     : "rcx", "r11", "memory");
}

static void await_request(struct slot *slot, LONG served)
{
    for (int i = 0; i < SPINS && slot->request == served; i++) {
        YieldProcessor();
    }
    while (slot->request == served) {
        InterlockedExchange(&slot->host_sleeps, 1);
        if (slot->request == served) {
            futex(&slot->request, FUTEX_WAIT, served);
        }
        InterlockedExchange(&slot->host_sleeps, 0);
    }
}

static __attribute__((noreturn)) DWORD WINAPI serve(void *parameter)
{
    struct slot *slot = parameter;
    for (;;) {
        LONG served = slot->answer;
        await_request(slot, served);
        LONG64 *a = slot->argument;
        /* The caller of a Win64 function clears the stack, so surplus arguments do no harm. */
        slot->result = slot->function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
        slot->last_error = GetLastError();
        InterlockedExchange(&slot->answer, served + 1);
        if (slot->caller_sleeps) {
            futex(&slot->answer, FUTEX_WAKE, 1);
        }
    }
}

static void fail(const char *call)
{
    fprintf(stderr, "%s: error %lu\n", call, GetLastError());
    exit(1);
}

static void map(const char *file, void *where, LONG64 size)
{
    HANDLE opened = CreateFileA(file, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                OPEN_EXISTING, 0, NULL);
    if (opened == INVALID_HANDLE_VALUE) {
        fail("CreateFile");
    }
    HANDLE mapping = CreateFileMappingA(opened, NULL, PAGE_READWRITE, (DWORD) (size >> 32), (DWORD) size, NULL);
    if (mapping == NULL) {
        fail("CreateFileMapping");
    }
    region = MapViewOfFileEx(mapping, FILE_MAP_WRITE, 0, 0, size, where);
    if (region == NULL) {
        fail("MapViewOfFileEx");
    }
}

int main(int count, char **argument)
{
    if (count != 5) {
        fprintf(stderr, "4 arguments, please\n");
        return 2;
    }
    map(argument[1], (void *) _strtoui64(argument[2], NULL, 16), _strtoui64(argument[3], NULL, 16));
    slots = (struct slot *) (region + _strtoui64(argument[4], NULL, 16));

    struct header *header = (struct header *) region;
    header->load_library = (LONG64) LoadLibraryA;
    header->get_proc_address = (LONG64) GetProcAddress;
    InterlockedExchange(&header->ready, 1);

    HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
    DWORD number, read;
    while (ReadFile(input, &number, sizeof number, &read, NULL) && read == sizeof number) {
        HANDLE thread = CreateThread(NULL, 0, serve, &slots[number], 0, NULL);
        if (thread == NULL) {
            fail("CreateThread");
        }
        CloseHandle(thread);
    }
    /* Not exit(): it would wait for locks that threads inside calls may hold. */
    TerminateProcess(GetCurrentProcess(), 0);
    return 0;
}
